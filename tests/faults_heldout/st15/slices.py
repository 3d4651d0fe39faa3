import numpy as np
import torch
from torch.utils.data import Dataset


class CalciumSlices(Dataset):
    """One brain slice = a bag of segmented cells, each with its event counts in six stimulus windows."""

    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.cells, self.dose = [], []
        for _ in range(n):
            m = int(np.clip(rng.lognormal(3.5, 0.6), 10, 120))
            dose = rng.random()
            firing = rng.random(m) < 0.95 - 0.85 * dose
            tuned = rng.gamma(2.0, 0.5, size=(m, 6)) * rng.lognormal(0.0, 0.5, size=(m, 1))
            events = rng.poisson(tuned) * firing[:, None]
            self.cells.append(torch.tensor(np.log1p(events), dtype=torch.float32))
            self.dose.append(dose)

    def __len__(self):
        return len(self.dose)

    def __getitem__(self, i):
        return self.cells[i], self.dose[i]


def pad(batch):
    bags, dose = zip(*batch)
    width = max(len(b) for b in bags)
    cells = torch.zeros(len(bags), width, bags[0].shape[1])
    empty = torch.ones(len(bags), width, dtype=torch.bool)
    for i, b in enumerate(bags):
        cells[i, :len(b)] = b
        empty[i, :len(b)] = False
    return cells, empty, torch.tensor(dose)

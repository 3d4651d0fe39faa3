import numpy as np
import torch
from torch.utils.data import Dataset

CLASSES = ("rising", "falling", "steady", "burst")


def synthesize(n, length, rng):
    t = np.linspace(0, 1, length)
    xs, ys = [], []
    for _ in range(n):
        c = rng.integers(4)
        f0, f1 = rng.uniform(4, 8), rng.uniform(14, 22)
        phase = rng.uniform(0, 2 * np.pi)
        if c == 0:
            s = np.sin(2 * np.pi * (f0 * t + 0.5 * (f1 - f0) * t ** 2) + phase)
        elif c == 1:
            s = np.sin(2 * np.pi * (f1 * t + 0.5 * (f0 - f1) * t ** 2) + phase)
        elif c == 2:
            s = np.sin(2 * np.pi * rng.uniform(f0, f1) * t + phase)
        else:
            s = np.sin(2 * np.pi * f1 * t + phase) * np.exp(-((t - rng.uniform(0.3, 0.7)) / 0.12) ** 2)
        xs.append(rng.uniform(0.7, 1.3) * s + 0.3 * rng.normal(size=length))
        ys.append(c)
    return np.stack(xs).astype("float32"), np.array(ys)


class ChirpDataset(Dataset):
    def __init__(self, n, seed, length=128, transform=None):
        self.x, self.y = synthesize(n, length, np.random.default_rng(seed))
        self.transform = transform

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        x = torch.from_numpy(self.x[i])
        if self.transform is not None:
            x = self.transform(x)
        return x.unsqueeze(0), int(self.y[i])

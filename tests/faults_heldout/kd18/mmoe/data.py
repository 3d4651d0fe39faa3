import numpy as np
import torch
from torch.utils.data import Dataset


class PumpData(Dataset):
    """One part of the pump table; statistics come from the training part."""

    def __init__(self, path, part, seed=0, stats=None):
        z = np.load(path)
        n = len(z["x"])
        order = np.random.default_rng(seed).permutation(n)
        cuts = {"train": order[: int(0.7 * n)], "val": order[int(0.7 * n): int(0.85 * n)], "test": order[int(0.85 * n):]}
        i = cuts[part]
        x = torch.from_numpy(z["x"][i].astype(np.float32))
        energy = torch.from_numpy(z["energy"][i])
        wear = torch.from_numpy(np.log(z["wear"][i]))
        self.state = torch.from_numpy(z["state"][i].astype(np.int64))
        self.stats = stats or {k: (v.mean(0), v.std(0)) for k, v in (("x", x), ("energy", energy), ("wear", wear))}
        scale = lambda k, v: (v - self.stats[k][0]) / self.stats[k][1]
        self.x, self.energy, self.wear = scale("x", x), scale("energy", energy), scale("wear", wear)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], {"energy": self.energy[i], "wear": self.wear[i], "state": self.state[i]}

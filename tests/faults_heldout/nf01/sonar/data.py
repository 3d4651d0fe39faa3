import csv
from dataclasses import dataclass

import torch
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Standardizer:
    mean: torch.Tensor
    std: torch.Tensor

    @classmethod
    def fit(cls, x):
        return cls(x.mean(0), x.std(0))

    def __call__(self, x):
        return (x - self.mean) / self.std


def load_soundings(path):
    with open(path, newline="") as fh:
        rows = [(float(r["echo"]), float(r["salinity"]), float(r["depth_km"])) for r in csv.DictReader(fh)]
    table = torch.tensor(rows)
    return table[:, :2], table[:, 2:]


def build_loaders(path, holdout, batch_size, generator):
    x, y = load_soundings(path)
    perm = torch.randperm(len(x), generator=generator)
    val, train = perm[:holdout], perm[holdout:]
    sx, sy = Standardizer.fit(x[train]), Standardizer.fit(y[train])
    train_ds = TensorDataset(sx(x[train]), sy(y[train]))
    val_ds = TensorDataset(sx(x[val]), sy(y[val]))
    return (
        DataLoader(train_ds, batch_size=batch_size, shuffle=True, drop_last=True, generator=generator),
        DataLoader(val_ds, batch_size=500),
        sy,
    )

import csv

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

SKEWED = ("amount", "tenure_years", "distance_km", "report_delay_days")


def load(path):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    cols = [c for c in rows[0] if c != "fraud"]
    x = np.array([[float(r[c]) for c in cols] for r in rows])
    for c in SKEWED:
        x[:, cols.index(c)] = np.log1p(x[:, cols.index(c)])
    return x, np.array([int(r["fraud"]) for r in rows])


def stratified(y, share, rng):
    test = np.concatenate([rng.permutation(np.flatnonzero(y == c))[: int(share * (y == c).sum())] for c in (0, 1)])
    return np.setdiff1d(np.arange(len(y)), test), test


def make_loaders(path, share, micro_batch, seed):
    x, y = load(path)
    train, test = stratified(y, share, np.random.default_rng(seed))
    x = (x - x[train].mean(0)) / x[train].std(0)
    x, t = torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)
    gen = torch.Generator().manual_seed(seed)
    return (
        DataLoader(TensorDataset(x[train], t[train]), micro_batch, shuffle=True, drop_last=True, generator=gen),
        (x[test], t[test]),
        float((y[train] == 0).sum() / (y[train] == 1).sum()),
    )

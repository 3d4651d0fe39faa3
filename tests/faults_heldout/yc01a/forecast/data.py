import csv
from dataclasses import dataclass

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


@dataclass
class Scaler:
    mean: float
    std: float

    def transform(self, x):
        return (x - self.mean) / self.std

    def inverse(self, x):
        return x * self.std + self.mean


class WindowDataset(Dataset):
    """(context, calendar) -> horizon windows over one contiguous stretch of the series."""

    def __init__(self, values, hours, context, horizon, stride=1):
        self.values = torch.tensor(values, dtype=torch.float32)
        ang = 2 * np.pi * (hours % 24) / 24
        wk = 2 * np.pi * (hours % 168) / 168
        cal = np.stack([np.sin(ang), np.cos(ang), np.sin(wk), np.cos(wk)])
        self.cal = torch.tensor(cal, dtype=torch.float32)
        self.context, self.horizon = context, horizon
        self.starts = range(0, len(values) - context - horizon + 1, stride)

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, i):
        s = self.starts[i]
        e = s + self.context
        x = torch.cat([self.values[None, s:e], self.cal[:, s:e]])
        return x, self.values[e:e + self.horizon]


def read_series(path):
    with open(path) as fh:
        rows = list(csv.DictReader(fh))
    hours = np.array([int(r["hour"]) for r in rows])
    load = np.array([float(r["load_kw"]) for r in rows])
    return hours, load


def build_loaders(cfg, root, seed):
    hours, load = read_series(root / cfg.file)
    n = len(load)
    a, b = int(n * cfg.train_until), int(n * cfg.val_until)
    scaler = Scaler(float(load[:a].mean()), float(load[:a].std()))
    z = scaler.transform(load)
    parts = {"train": slice(0, a), "val": slice(a, b), "test": slice(b, n)}
    gen = torch.Generator().manual_seed(seed)
    loaders = {}
    for name, sl in parts.items():
        ds = WindowDataset(z[sl], hours[sl], cfg.context, cfg.horizon)
        train = name == "train"
        loaders[name] = DataLoader(ds, batch_size=cfg.batch_size if train else 256, shuffle=train,
                                   drop_last=train, generator=gen if train else None)
    return loaders, scaler

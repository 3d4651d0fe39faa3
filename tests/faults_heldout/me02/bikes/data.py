import csv
from dataclasses import dataclass

import numpy as np
import torch
from torch.utils.data import Dataset

CONT = ["temp", "humidity", "wind", "rain"]


@dataclass
class Scaler:
    mean: np.ndarray
    std: np.ndarray

    @classmethod
    def fit(cls, a):
        return cls(a.mean(0), a.std(0) + 1e-8)

    def __call__(self, a):
        return (a - self.mean) / self.std


class Hours(Dataset):
    def __init__(self, rows, scaler):
        cont = np.array([[float(r[c]) for c in CONT] for r in rows])
        self.cont = torch.tensor(scaler(cont), dtype=torch.float32)
        self.cat = torch.tensor([[int(r["hour"]), int(r["weekday"])] for r in rows])
        self.count = torch.tensor([float(r["rentals"]) for r in rows])

    def __len__(self):
        return len(self.count)

    def __getitem__(self, i):
        return self.cat[i], self.cont[i], self.count[i]


def load(cfg):
    with open(cfg["path"]) as f:
        rows = list(csv.DictReader(f))
    n_test, n_val = 24 * cfg["holdout_days"], 24 * cfg["val_days"]
    rest, test = rows[:-n_test], rows[-n_test:]
    # whole days go to validation so that neighbouring hours stay together
    days = [rest[i:i + 24] for i in range(0, len(rest), 24)]
    order = np.random.default_rng(0).permutation(len(days))
    val = [r for d in order[:cfg["val_days"]] for r in days[d]]
    train = [r for d in order[cfg["val_days"]:] for r in days[d]]
    scaler = Scaler.fit(np.array([[float(r[c]) for c in CONT] for r in train]))
    return tuple(Hours(s, scaler) for s in (train, val, test))

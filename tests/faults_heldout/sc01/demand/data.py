"""Reading and preparing the hourly rental table."""
import csv
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

CATEGORICAL = ["hour", "weekday", "month"]
NUMERIC = ["holiday", "temp", "humidity", "windspeed"]
TARGET = "rentals"


class TargetScaler:
    """Keeps the log-space statistics needed to get back to rentals per hour."""

    def __init__(self, values):
        logs = np.log1p(values)
        self.mean, self.std = float(logs.mean()), float(logs.std())

    def transform(self, values):
        return (np.log1p(values) - self.mean) / self.std

    def inverse(self, z):
        return torch.expm1(z * self.std + self.mean)


def read_table(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    cols = {}
    for name in CATEGORICAL:
        cols[name] = np.array([int(r[name]) for r in rows])
    for name in NUMERIC + [TARGET]:
        cols[name] = np.array([float(r[name]) for r in rows], dtype=np.float32)
    return cols


def make_loaders(cfg, root: Path):
    cols = read_table(root / cfg["csv"])
    n_days = len(cols["hour"]) // 24
    rng = np.random.default_rng(cfg["seed"])
    days = rng.permutation(n_days)
    held_out = set(days[: cfg["valid_days"]].tolist())
    is_valid = np.array([(i // 24) in held_out for i in range(len(cols["hour"]))])

    cat = np.stack([cols[c] for c in CATEGORICAL], axis=1)
    cat[:, CATEGORICAL.index("month")] -= 1
    num = np.stack([cols[c] for c in NUMERIC], axis=1)
    mu, sd = num[~is_valid].mean(0), num[~is_valid].std(0) + 1e-6
    num = (num - mu) / sd

    scaler = TargetScaler(cols[TARGET][~is_valid])
    target = scaler.transform(cols[TARGET]).astype(np.float32)

    def dataset(mask):
        return TensorDataset(
            torch.from_numpy(cat[mask]).long(),
            torch.from_numpy(num[mask]).float(),
            torch.from_numpy(target[mask]),
        )

    train = DataLoader(dataset(~is_valid), batch_size=cfg["batch_size"], shuffle=True)
    valid = DataLoader(dataset(is_valid), batch_size=1024)
    return train, valid, scaler

import csv
from dataclasses import dataclass

import numpy as np
import torch
from torch.utils.data import TensorDataset

CATEGORICAL = ("district", "building")
NUMERIC = ("area_m2", "rooms", "floor", "floors_total", "year_built", "walk_to_station_min", "renovated")


@dataclass
class Prepared:
    train: TensorDataset
    val: TensorDataset
    test: TensorDataset
    cardinalities: list
    n_numeric: int
    log_mean: float
    log_std: float

    def to_eur(self, z):
        return torch.exp(z * self.log_std + self.log_mean)


def read_rows(path):
    with open(path, newline="") as fh:
        return list(csv.DictReader(fh))


def prepare(path, split, seed):
    rows = read_rows(path)
    order = np.random.default_rng(seed).permutation(len(rows))
    n_val, n_test = int(split["val"] * len(rows)), int(split["test"] * len(rows))
    parts = {
        "val": order[:n_val],
        "test": order[n_val:n_val + n_test],
        "train": order[n_val + n_test:],
    }

    vocab = {c: {v: i for i, v in enumerate(sorted({r[c] for r in rows}))} for c in CATEGORICAL}
    cat = np.array([[vocab[c][r[c]] for c in CATEGORICAL] for r in rows], dtype=np.int64)
    num = np.array([[float(r[c]) for c in NUMERIC] for r in rows], dtype=np.float32)
    num[:, 0] = np.log(num[:, 0])
    logp = np.log(np.array([float(r["price_eur"]) for r in rows], dtype=np.float32))

    tr = parts["train"]
    mean, std = num[tr].mean(0), num[tr].std(0)
    num = (num - mean) / std
    lm, ls = float(logp[tr].mean()), float(logp[tr].std())
    target = (logp - lm) / ls

    def ds(idx):
        return TensorDataset(torch.from_numpy(cat[idx]), torch.from_numpy(num[idx]), torch.from_numpy(target[idx]))

    return Prepared(ds(tr), ds(parts["val"]), ds(parts["test"]), [len(vocab[c]) for c in CATEGORICAL], len(NUMERIC), lm, ls)

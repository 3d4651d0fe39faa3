"""Reads subscribers.csv and turns it into integer codes and standardised numbers."""
import csv
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset

CATEGORICAL = ["plan", "region", "channel", "device"]
NUMERIC = ["months", "monthly_fee", "tickets", "usage_gb"]


def read_rows(path):
    with open(path, newline="") as fh:
        return list(csv.DictReader(fh))


def split_rows(rows, seed=0):
    order = np.random.default_rng(seed).permutation(len(rows))
    a, b = int(0.7 * len(rows)), int(0.85 * len(rows))
    pick = lambda ids: [rows[i] for i in ids]
    return pick(order[:a]), pick(order[a:b]), pick(order[b:])


class Encoder:
    """Vocabulary (0 is kept for unseen values) and scaling, both from training rows only."""

    def fit(self, rows):
        self.vocab = {c: {v: i + 1 for i, v in enumerate(sorted({r[c] for r in rows}))} for c in CATEGORICAL}
        table = np.array([[float(r[c]) for c in NUMERIC] for r in rows])
        self.mean, self.std = table.mean(0), table.std(0)
        return self

    @property
    def sizes(self):
        return [len(self.vocab[c]) + 1 for c in CATEGORICAL]

    def __call__(self, rows):
        cat = [[self.vocab[c].get(r[c], 0) for c in CATEGORICAL] for r in rows]
        num = (np.array([[float(r[c]) for c in NUMERIC] for r in rows]) - self.mean) / self.std
        y = [float(r["churned"]) for r in rows]
        return Table(torch.tensor(cat), torch.tensor(num, dtype=torch.float32), torch.tensor(y))


class Table(Dataset):
    def __init__(self, cat, num, y):
        self.cat, self.num, self.y = cat, num, y

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.cat[i], self.num[i], self.y[i]


def load(path=Path(__file__).resolve().parent.parent / "subscribers.csv"):
    train, val, test = split_rows(read_rows(path))
    enc = Encoder().fit(train)
    return enc, enc(train), enc(val), enc(test)

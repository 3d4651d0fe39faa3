import csv
from pathlib import Path

import numpy as np
import torch

HERE = Path(__file__).parent


class Encoder:
    """Standardises numeric columns and one-hot encodes categorical ones."""

    def __init__(self, numeric, categorical, target):
        self.numeric, self.categorical, self.target = numeric, categorical, target

    def fit(self, rows):
        num = self._numeric(rows)
        self.mu, self.sd = num.mean(0), num.std(0)
        self.levels = {c: sorted({r[c] for r in rows}) for c in self.categorical}
        y = np.log(self._target(rows))
        self.y_mu, self.y_sd = y.mean(), y.std()
        return self

    def _numeric(self, rows):
        return np.array([[float(r[c]) for c in self.numeric] for r in rows])

    def _target(self, rows):
        return np.array([float(r[self.target]) for r in rows])

    def transform(self, rows):
        parts = [(self._numeric(rows) - self.mu) / self.sd]
        for c, levels in self.levels.items():
            onehot = np.zeros((len(rows), len(levels)))
            for i, r in enumerate(rows):
                onehot[i, levels.index(r[c])] = 1.0
            parts.append(onehot)
        x = np.concatenate(parts, axis=1)
        y = (np.log(self._target(rows)) - self.y_mu) / self.y_sd
        return torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)

    def to_kwh(self, z):
        return torch.exp(z * self.y_sd + self.y_mu)


def load(cfg):
    with open(HERE / cfg["file"], newline="") as f:
        rows = list(csv.DictReader(f))
    order = np.random.default_rng(cfg["seed"]).permutation(len(rows))
    rows = [rows[i] for i in order]
    n_val = int(len(rows) * cfg["val_fraction"])
    n_test = int(len(rows) * cfg["test_fraction"])
    test, val, train = rows[:n_test], rows[n_test:n_test + n_val], rows[n_test + n_val:]
    enc = Encoder(cfg["numeric"], cfg["categorical"], cfg["target"]).fit(train)
    return enc, enc.transform(train), enc.transform(val), enc.transform(test)

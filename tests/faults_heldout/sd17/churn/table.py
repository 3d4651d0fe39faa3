import csv

import numpy as np
import torch


class Table:
    """Numeric matrix, integer coded categoricals and a binary target."""

    def __init__(self, path, target, categorical):
        with open(path, newline="") as fh:
            rows = list(csv.DictReader(fh))
        numeric = [c for c in rows[0] if c != target and c not in categorical]
        self.num = np.array([[float(r[c]) for c in numeric] for r in rows], dtype=np.float32)
        self.levels, codes = [], []
        for c in categorical:
            values = sorted({r[c] for r in rows})
            self.levels.append(values)
            codes.append([values.index(r[c]) for r in rows])
        self.cat = np.array(codes, dtype=np.int64).T
        self.y = np.array([float(r[target]) for r in rows], dtype=np.float32)

    def split(self, val_share, test_share, seed):
        rng = np.random.default_rng(seed)
        parts = ([], [], [])
        for cls in (0.0, 1.0):
            idx = rng.permutation(np.flatnonzero(self.y == cls))
            a, b = int(len(idx) * val_share), int(len(idx) * test_share)
            for store, chunk in zip(parts, (idx[a + b:], idx[:a], idx[a:a + b])):
                store.append(chunk)
        train, val, test = (np.concatenate(p) for p in parts)
        mean, std = self.num[train].mean(0), self.num[train].std(0)
        num = (self.num - mean) / std
        return tuple(tuple(torch.from_numpy(a[i]) for a in (num, self.cat, self.y)) for i in (train, val, test))

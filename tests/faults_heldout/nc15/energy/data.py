import csv

import numpy as np
import torch


class BuildingTable:
    def __init__(self, path, target, val_fraction, batch_size, seed):
        with open(path, newline="") as fh:
            rows = list(csv.DictReader(fh))
        names = [c for c in rows[0] if c != target]
        x = np.array([[float(r[c]) for c in names] for r in rows], dtype=np.float32)
        y = np.array([float(r[target]) for r in rows], dtype=np.float32)
        order = np.random.default_rng(seed).permutation(len(y))
        n_val = int(len(y) * val_fraction)
        val, train = order[:n_val], order[n_val:]
        x = (x - x[train].mean(0)) / x[train].std(0)
        self.y_mean, self.y_std = float(y[train].mean()), float(y[train].std())
        y = (y - self.y_mean) / self.y_std
        self.train = torch.from_numpy(x[train]), torch.from_numpy(y[train])
        self.val = torch.from_numpy(x[val]), torch.from_numpy(y[val])
        self.batch_size, self.n_inputs = batch_size, len(names)

    def batches(self):
        x, y = self.train
        for idx in torch.randperm(len(y)).split(self.batch_size):
            yield x[idx], y[idx]

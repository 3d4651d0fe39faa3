import numpy as np
import torch


class TransactionTable:
    def __init__(self, path, val_fraction):
        with np.load(path) as z:
            x, y = z["x"].astype(np.float32), z["fraud"].astype(np.float32)
        n_val = int(len(y) * val_fraction)
        order = np.random.default_rng(0).permutation(len(y))
        va, tr = order[:n_val], order[n_val:]
        m, s = x[tr].mean(0), x[tr].std(0)
        x = (x - m) / s
        self.train = torch.from_numpy(x[tr]), torch.from_numpy(y[tr])
        self.val = torch.from_numpy(x[va]), torch.from_numpy(y[va])

    @property
    def n_features(self):
        return self.train[0].shape[1]

    def batches(self, size):
        x, y = self.train
        for idx in torch.randperm(len(y)).split(size):
            yield x[idx], y[idx]

import numpy as np
import torch


def log_cpm(counts, scale=1e4):
    """library size normalisation, then log1p"""
    depth = counts.sum(1, keepdims=True).clip(min=1)
    return np.log1p(counts / depth * scale)


def load(path, n_val, rng):
    f = np.load(path)
    x = log_cpm(f["counts"].astype(np.float64))
    y = f["cell_type"].astype(np.int64)
    idx = rng.permutation(len(y))
    va, tr = idx[:n_val], idx[n_val:]
    mu, sd = x[tr].mean(0), x[tr].std(0) + 1e-6
    x = (x - mu) / sd
    t = lambda i: (torch.tensor(x[i], dtype=torch.float32), torch.tensor(y[i]))
    return t(tr), t(va), [str(s) for s in f["names"]]

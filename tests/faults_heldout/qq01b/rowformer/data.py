"""Reading the scanned digits. Every 8x8 scan is a sequence of eight rows."""
import numpy as np
import torch


def load_splits(path, val_fraction, seed):
    with np.load(path) as f:
        x = torch.from_numpy(f["images"].astype(np.float32))
        y = torch.from_numpy(f["labels"].astype(np.int64))
    g = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(x), generator=g)
    n_val = int(len(x) * val_fraction)
    va, tr = order[:n_val], order[n_val:]
    mean, std = x[tr].mean(), x[tr].std()
    x = (x - mean) / std
    return (x[tr], y[tr]), (x[va], y[va])


def iterate(split, batch_size, shuffle=True):
    x, y = split
    order = torch.randperm(len(x)) if shuffle else torch.arange(len(x))
    for part in order.split(batch_size):
        yield x[part], y[part]

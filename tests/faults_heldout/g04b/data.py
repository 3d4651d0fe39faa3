import numpy as np
import torch
from torch.utils.data import TensorDataset


def load(path, val_every=4):
    """Stratified split by position: the export is in random order within every class."""
    z = np.load(path)
    x, y = z["features"].astype(np.float32), z["state"].astype(np.int64)
    val = np.zeros(len(y), dtype=bool)
    for c in np.unique(y):
        val[np.flatnonzero(y == c)[::val_every]] = True
    mean, std = x[~val].mean(0), x[~val].std(0) + 1e-6
    x = (x - mean) / std
    make = lambda m: TensorDataset(torch.from_numpy(x[m]), torch.from_numpy(y[m]))
    return make(~val), make(val)


def class_weights(labels, mode, n_classes):
    if mode == "none":
        return None
    if mode == "balanced":
        counts = torch.bincount(labels, minlength=n_classes).float()
        return counts.sum() / (n_classes * counts)
    raise ValueError(f"unknown class_weighting: {mode}")

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

PATTERNS = ("center", "donut", "edge-ring", "edge-loc", "scratch", "none")


def one_hot_maps(maps):
    """0 = outside of the wafer, 1 = good die, 2 = failing die."""
    planes = np.stack([maps == k for k in range(3)], axis=1)
    return torch.from_numpy(planes.astype(np.float32))


def loaders(path, batch_size, val_share=0.2, seed=0):
    blob = np.load(path)
    maps, labels = blob["maps"], blob["pattern"].astype(np.int64)
    order = np.random.default_rng(seed).permutation(len(maps))
    n_val = int(len(maps) * val_share)
    val, train = order[:n_val], order[n_val:]
    x, y = one_hot_maps(maps), torch.from_numpy(labels)
    g = torch.Generator().manual_seed(seed)
    return (
        DataLoader(TensorDataset(x[train], y[train]), batch_size, shuffle=True, drop_last=True, generator=g),
        DataLoader(TensorDataset(x[val], y[val]), 256),
    )

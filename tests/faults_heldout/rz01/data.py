import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def load_windows(path, holdout=0.2, seed=0):
    """Accelerometer windows, 48 samples of (x, y, z) in raw sensor counts."""
    raw = np.load(path)
    acc = torch.from_numpy(raw["acc"]).float()
    activity = torch.from_numpy(raw["activity"])

    order = torch.randperm(len(acc), generator=torch.Generator().manual_seed(seed))
    n_test = int(holdout * len(acc))
    test, train = order[:n_test], order[n_test:]

    mu = acc[train].mean((0, 1))
    sd = acc[train].std((0, 1))
    acc = (acc - mu) / sd
    return (TensorDataset(acc[train], activity[train]),
            TensorDataset(acc[test], activity[test]))


def loaders(path, batch_size, seed):
    train, test = load_windows(path, seed=seed)
    return (DataLoader(train, batch_size=batch_size, shuffle=True),
            DataLoader(test, batch_size=batch_size))

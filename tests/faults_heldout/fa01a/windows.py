"""Accelerometer windows -> tensors."""
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

HERE = Path(__file__).parent


def load_windows(filename, val_fraction, batch_size, seed):
    blob = np.load(HERE / filename)
    x = blob["acc"].astype(np.float32)
    y = blob["activity"].astype(np.int64)
    names = [str(n) for n in blob["names"]]

    order = np.random.default_rng(seed).permutation(len(x))
    n_val = int(len(x) * val_fraction)
    val_idx, train_idx = order[:n_val], order[n_val:]

    mean = x[train_idx].mean(axis=(0, 1))
    std = x[train_idx].std(axis=(0, 1))
    x = (x - mean) / std

    def pack(idx):
        return TensorDataset(torch.from_numpy(x[idx]), torch.from_numpy(y[idx]))

    train = DataLoader(pack(train_idx), batch_size=batch_size, shuffle=True)
    val = DataLoader(pack(val_idx), batch_size=256)
    return train, val, names

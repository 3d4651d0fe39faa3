import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def scanner_loaders(path, batch_size, seed):
    raw = np.load(path)
    x = torch.from_numpy(raw["image"].astype(np.float32) / 255.0).unsqueeze(1)
    y = torch.from_numpy(raw["digit"].astype(np.int64))
    # normalisation constants of the pre-training corpus
    x = (x - 0.305) / 0.376
    g = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(x), generator=g)
    n_val = len(x) // 4
    val, train = order[:n_val], order[n_val:]
    return (
        DataLoader(TensorDataset(x[train], y[train]), batch_size=batch_size, shuffle=True, generator=g),
        DataLoader(TensorDataset(x[val], y[val]), batch_size=256),
    )

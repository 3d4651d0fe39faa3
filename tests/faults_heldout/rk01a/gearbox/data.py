from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def read_windows(path):
    """int8 windows with a per-file gain -> float tensor in units of g."""
    with np.load(Path(path)) as z:
        x = z["windows"].astype(np.float32) * float(z["gain"])
        y = z["state"].astype(np.int64)
    return torch.from_numpy(x), torch.from_numpy(y)


def make_loaders(folder, batch_size, seed):
    folder = Path(folder)
    xt, yt = read_windows(folder / "train.npz")
    xv, yv = read_windows(folder / "val.npz")
    mean, std = xt.mean(), xt.std()
    train = TensorDataset((xt - mean) / std, yt)
    val = TensorDataset((xv - mean) / std, yv)
    g = torch.Generator().manual_seed(seed)
    return (DataLoader(train, batch_size, shuffle=True, generator=g), DataLoader(val, 256), int(yt.max()) + 1)

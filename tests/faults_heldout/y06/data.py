from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

HERE = Path(__file__).resolve().parent


def load(split):
    z = np.load(HERE / "scans.npz")
    x = torch.from_numpy(z[f"{split}_x"]).float().div(16).sub(0.3).div(0.38).unsqueeze(1)
    return TensorDataset(x, torch.from_numpy(z[f"{split}_y"]).long())


def loaders(batch_size):
    return (DataLoader(load("train"), batch_size, shuffle=True, drop_last=False),
            DataLoader(load("test"), 256))

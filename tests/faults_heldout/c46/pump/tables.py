import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from .config import ROOT


def load(name):
    array = np.load(ROOT / f"{name}.npy").astype(np.float32)
    return torch.from_numpy(array[:, :-1]), torch.from_numpy(array[:, -1])


def loaders(s):
    (x, y), (xv, yv) = load("train"), load("valid")
    if s.standardize:
        m, d = x.mean(0), x.std(0).clamp(min=1e-6)
        x, xv = (x - m) / d, (xv - m) / d
    return DataLoader(TensorDataset(x, y), s.batch, shuffle=s.shuffle), DataLoader(TensorDataset(xv, yv), 256)

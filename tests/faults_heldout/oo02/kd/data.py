import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def load(path, n_val):
    z = np.load(path)
    x = torch.from_numpy(z["images"]).float().div(16.0).sub(0.5).mul(2.0).unsqueeze(1)
    y = torch.from_numpy(z["labels"]).long()
    return TensorDataset(x[:-n_val], y[:-n_val]), TensorDataset(x[-n_val:], y[-n_val:])


def loaders(cfg):
    tr, va = load(cfg["data"], cfg["n_val"])
    return (DataLoader(tr, batch_size=cfg["batch_size"], shuffle=True),
            DataLoader(va, batch_size=256))

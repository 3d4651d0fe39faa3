import numpy as np
import torch
from torch.utils.data import TensorDataset


def load_split(path, n_test, seed=0):
    z = np.load(path)
    x = torch.from_numpy(z["ecg"].astype(np.float32))
    y = torch.from_numpy(z["marks"].astype(np.int64))
    p = torch.randperm(len(x), generator=torch.Generator().manual_seed(seed))
    te, tr = p[:n_test], p[n_test:]
    mean = x[tr].mean((0, 2), keepdim=True)
    std = x[tr].std((0, 2), keepdim=True)
    x = (x - mean) / std
    return TensorDataset(x[tr], y[tr]), TensorDataset(x[te], y[te])

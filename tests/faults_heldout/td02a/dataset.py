import numpy as np
import torch
from torch.utils.data import TensorDataset


def load(path, val_share, seed):
    raw = np.load(path)
    x = torch.from_numpy(raw["acc"].astype(np.float32)) / 12.0
    activity = torch.from_numpy(raw["activity"].astype(np.int64))
    wrist = torch.from_numpy(raw["wrist"].astype(np.float32))
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(seed))
    n_val = int(len(x) * val_share)
    val, train = order[:n_val], order[n_val:]
    pick = lambda idx: TensorDataset(x[idx], activity[idx], wrist[idx])
    return pick(train), pick(val)

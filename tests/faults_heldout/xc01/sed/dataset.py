import numpy as np
import torch
from torch.utils.data import TensorDataset, random_split


def load(path, val_fraction, seed):
    z = np.load(path)
    x = torch.from_numpy(z["x"].astype(np.float32)).unsqueeze(1)
    y = torch.from_numpy(z["y"]).long()
    x = (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)
    n_val = int(len(x) * val_fraction)
    return random_split(TensorDataset(x, y), [len(x) - n_val, n_val], torch.Generator().manual_seed(seed))

import numpy as np
import torch
from torch.utils.data import TensorDataset


def load_split(path, part):
    with np.load(path) as z:
        x = z[f"{part}_x"].astype(np.float32) / 32.0
        y = z[f"{part}_y"].astype(np.int64)
    return TensorDataset(torch.from_numpy(x), torch.from_numpy(y))

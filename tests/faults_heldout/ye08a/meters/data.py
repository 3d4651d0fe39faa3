import numpy as np
import torch
from torch.utils.data import TensorDataset


def load_labelled(path):
    with np.load(path) as z:
        x = torch.from_numpy(z["pixels"].astype(np.float32) / 16.0 - 0.3)
        y = torch.from_numpy(z["digit"].astype(np.int64))
    return TensorDataset(x.unsqueeze(1), y)

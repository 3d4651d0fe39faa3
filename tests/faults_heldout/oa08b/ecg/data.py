import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def make_loaders(path, batch_size):
    z = np.load(path)

    def ds(split):
        x = z[f"x_{split}"].astype(np.float32) / 100.0
        x = x - x.mean(axis=1, keepdims=True)
        return TensorDataset(torch.from_numpy(x).unsqueeze(1), torch.from_numpy(z[f"y_{split}"].astype(np.int64)))

    return (DataLoader(ds("train"), batch_size=batch_size, shuffle=True, drop_last=True),
            DataLoader(ds("test"), batch_size=256))

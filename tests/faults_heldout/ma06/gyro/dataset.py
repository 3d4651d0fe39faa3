import numpy as np
import torch
from torch.utils.data import Dataset

MANOEUVRES = ["straight", "left", "right", "sharp_left", "sharp_right", "stop"]


class Trips(Dataset):
    """windows of (yaw rate, lateral acceleration, longitudinal acceleration), standardised per channel"""

    def __init__(self, windows, labels, transform=None):
        self.windows, self.labels, self.transform = windows, labels, transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        x = self.windows[i]
        if self.transform is not None:
            x = self.transform(x)
        return x, self.labels[i]


def open_trips(path, val_fraction, transform, seed):
    z = np.load(path)
    x, y = torch.from_numpy(z["x"].astype(np.float32)), torch.from_numpy(z["y"].astype(np.int64))
    order = torch.randperm(len(y), generator=torch.Generator().manual_seed(seed))
    k = int(len(y) * val_fraction)
    val, train = order[:k], order[k:]
    mean = x[train].mean((0, 2), keepdim=True)
    std = x[train].std((0, 2), keepdim=True)
    x = (x - mean) / std
    return Trips(x[train], y[train], transform), Trips(x[val], y[val])

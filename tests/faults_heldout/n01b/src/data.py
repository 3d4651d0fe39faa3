import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def load_split(path):
    blob = np.load(path)
    x = torch.from_numpy(blob["images"]).float().unsqueeze(1) / 16.0
    y = torch.from_numpy(blob["labels"]).long()
    return TensorDataset(x - 0.3, y)


def make_loaders(root, batch_size, seed):
    g = torch.Generator().manual_seed(seed)
    train = load_split(f"{root}/train.npz")
    val = load_split(f"{root}/val.npz")
    return (
        DataLoader(train, batch_size=batch_size, shuffle=True, generator=g),
        DataLoader(val, batch_size=256),
    )

import numpy as np
import torch
from torch.utils.data import TensorDataset, random_split


def snv(x):
    """Standard normal variate: removes offset and gain of each spectrum."""
    return (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)


def load(path, test_share):
    blob = np.load(path)
    x = snv(blob["reflectance"].astype(np.float32))
    y = blob["polymer"].astype(np.int64)
    data = TensorDataset(torch.from_numpy(x), torch.from_numpy(y))
    n_test = int(len(data) * test_share)
    split = torch.Generator().manual_seed(2023)
    train, test = random_split(data, [len(data) - n_test, n_test], generator=split)
    return train, test, [str(n) for n in blob["names"]]

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from .sampling import SubsetEpochSampler


def loaders(path, val_fraction, batch_size, samples_per_epoch, seed):
    raw = np.load(path)
    x = raw["profile"].astype(np.float32)
    x = x - x.mean(1, keepdims=True)
    x = x / x.std(1, keepdims=True)
    x, y = torch.from_numpy(x), torch.from_numpy(raw["kind"].astype(np.int64))
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(seed))
    n_val = int(val_fraction * len(x))
    val = TensorDataset(x[order[:n_val]], y[order[:n_val]])
    train = TensorDataset(x[order[n_val:]], y[order[n_val:]])
    sampler = SubsetEpochSampler(len(train), samples_per_epoch, seed)
    return DataLoader(train, batch_size=batch_size, sampler=sampler), DataLoader(val, batch_size=512)

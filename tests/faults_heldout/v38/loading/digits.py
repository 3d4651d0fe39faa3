import torch
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

from .sampler import EpochSubsetSampler


def make_loaders(batch_size, epoch_samples, seed):
    d = load_digits()
    g = torch.Generator().manual_seed(77)
    order = torch.randperm(len(d.target), generator=g)
    x = torch.tensor(d.data / 16.0, dtype=torch.float32)[order]
    x = x + 0.15 * torch.randn(x.shape, generator=g)      # sensor noise of the device
    y = torch.tensor(d.target)[order]
    train = TensorDataset(x[:1400], y[:1400])
    val = TensorDataset(x[1400:], y[1400:])
    sampler = EpochSubsetSampler(train, epoch_samples, seed)
    return DataLoader(train, batch_size=batch_size, sampler=sampler), DataLoader(val, batch_size=200)

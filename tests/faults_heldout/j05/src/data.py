import torch
from torch.utils.data import TensorDataset


def make_splits(n_train, n_val, n_classes, dim, seed):
    """Two Gaussian modes for each class."""
    g = torch.Generator().manual_seed(seed)
    modes = torch.randn(n_classes, 2, dim, generator=g) * 0.75
    n = n_train + n_val
    y = torch.randint(n_classes, (n,), generator=g)
    m = torch.randint(2, (n,), generator=g)
    x = modes[y, m] + torch.randn(n, dim, generator=g)
    mean, std = x[:n_train].mean(0), x[:n_train].std(0)
    x = (x - mean) / std
    return TensorDataset(x[:n_train], y[:n_train]), TensorDataset(x[n_train:], y[n_train:])

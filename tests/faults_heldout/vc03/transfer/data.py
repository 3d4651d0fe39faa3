import numpy as np
import torch
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset


def downstream_task(shots: int, seed: int):
    """Is the digit one of {2, 3, 5, 7}?  A handful of labels, the rest is for testing."""
    digits = load_digits()
    images = torch.tensor(digits.images / 16.0, dtype=torch.float32).unsqueeze(1)
    label = torch.tensor(np.isin(digits.target, (2, 3, 5, 7)).astype("int64"))
    images, label, digit = images[1000:], label[1000:], digits.target[1000:]
    rng = np.random.default_rng(seed)
    chosen = np.concatenate([rng.choice(np.flatnonzero(digit == d), shots, replace=False) for d in range(10)])
    rest = np.setdiff1d(np.arange(len(label)), chosen)
    return (images[chosen], label[chosen]), (images[rest], label[rest])


def loaders(shots, batch_size, seed):
    train, test = downstream_task(shots, seed)
    gen = torch.Generator().manual_seed(seed)
    return (
        DataLoader(TensorDataset(*train), batch_size=batch_size, shuffle=True, generator=gen),
        DataLoader(TensorDataset(*test), batch_size=256),
    )

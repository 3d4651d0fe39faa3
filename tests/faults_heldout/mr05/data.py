import torch
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset


def digit_loaders(batch_size, seed):
    images = torch.tensor(load_digits().images, dtype=torch.float32).flatten(1) / 16.0
    order = torch.randperm(len(images), generator=torch.Generator().manual_seed(seed))
    train, val = images[order[:1500]], images[order[1500:]]
    return (DataLoader(TensorDataset(train), batch_size=batch_size, shuffle=True),
            DataLoader(TensorDataset(val), batch_size=len(val)))

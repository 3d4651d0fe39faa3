import torch
from sklearn.datasets import load_digits


def load(seed=0):
    x = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
    x = x[torch.randperm(len(x), generator=torch.Generator().manual_seed(seed))]
    return x[:1400], x[1400:]


def corrupt(x, p=0.2):
    return x * (torch.rand_like(x) > p)

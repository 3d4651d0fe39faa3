import numpy as np
import torch
from sklearn.datasets import load_digits


def load():
    d = load_digits()
    return torch.tensor(d.images / 16.0, dtype=torch.float32).unsqueeze(1), torch.tensor(d.target)


def base_split():
    """1000 images for the base task (all classes)."""
    x, y = load()
    return x[:1000], y[:1000]


def few_shot_split(per_class=3, seed=0):
    """A handful of labelled images from the second half, the rest of it for validation."""
    x, y = load()
    x, y = x[1000:], y[1000:]
    rng = np.random.default_rng(seed)
    pick = np.concatenate([rng.choice(np.flatnonzero(y.numpy() == c), per_class, replace=False) for c in range(10)])
    rest = np.setdiff1d(np.arange(len(y)), pick)
    return (x[pick], y[pick]), (x[rest], y[rest])

import numpy as np
import torch
from sklearn.datasets import load_digits


def _images():
    d = load_digits()
    return torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16.0, torch.tensor(d.target)


def source_task():
    """Digits 0-5, used for the backbone."""
    x, y = _images()
    m = y <= 5
    return x[m], y[m]


def target_task(per_class=25, seed=0):
    """Digits 6-9 with few labelled examples; the rest is the test set."""
    x, y = _images()
    m = y >= 6
    x, y = x[m], y[m] - 6
    rng = np.random.default_rng(seed)
    train = np.concatenate([rng.permutation(np.flatnonzero(y.numpy() == c))[:per_class] for c in range(4)])
    rest = np.setdiff1d(np.arange(len(y)), train)
    return (x[train], y[train]), (x[rest], y[rest])

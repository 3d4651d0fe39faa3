import numpy as np
import torch
from sklearn.datasets import load_digits


def few_shot_split(classes, shots, seed):
    """`shots` training images per class, all remaining ones for validation."""
    rng = np.random.default_rng(seed)
    images, digits = load_digits(return_X_y=True)
    train_idx, val_idx = [], []
    for c in classes:
        members = rng.permutation(np.flatnonzero(digits == c))
        train_idx.extend(members[:shots])
        val_idx.extend(members[shots:])
    x = torch.tensor(images / 16.0, dtype=torch.float32).reshape(-1, 1, 8, 8)
    remap = {c: i for i, c in enumerate(classes)}
    y = torch.tensor([remap.get(int(d), -1) for d in digits])
    return (x[train_idx], y[train_idx]), (x[val_idx], y[val_idx])


def minibatches(x, y, batch_size, generator):
    for idx in torch.randperm(len(y), generator=generator).split(batch_size):
        yield x[idx], y[idx]

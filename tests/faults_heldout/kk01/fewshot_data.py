import numpy as np
import torch
from sklearn.datasets import load_digits
from torch.utils.data import TensorDataset


def load_split(part):
    """part: 'source' (used to pre-train the encoder) or 'target' (few labels)."""
    d = load_digits()
    order = np.random.RandomState(3).permutation(len(d.target))
    x = torch.tensor(d.images[order] / 16.0, dtype=torch.float32).unsqueeze(1)
    x = (x - 0.305) / 0.376
    y = torch.tensor(d.target[order])
    return (x[:1000], y[:1000]) if part == "source" else (x[1000:], y[1000:])


def few_shot(per_class=8):
    x, y = load_split("target")
    train_idx = torch.cat([(y == c).nonzero().flatten()[:per_class] for c in range(10)])
    mask = torch.ones(len(y), dtype=torch.bool)
    mask[train_idx] = False
    return TensorDataset(x[train_idx], y[train_idx]), TensorDataset(x[mask], y[mask])

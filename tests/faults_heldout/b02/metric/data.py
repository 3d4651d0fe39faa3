import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import Dataset


def load(seed):
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16.0
    x = (x - 0.3) / 0.38
    y = d.target
    tr, te = train_test_split(np.arange(len(y)), test_size=0.3, stratify=y, random_state=seed)
    return x[tr], y[tr], x[te], y[te]


class Triplets(Dataset):
    """Random triplets: anchor and positive share the label, the negative does not."""

    def __init__(self, x, y, seed=0):
        self.x, self.y = x, y
        self.rng = np.random.default_rng(seed)
        self.by_label = {c: np.flatnonzero(y == c) for c in np.unique(y)}
        self.labels = list(self.by_label)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        c = self.y[i]
        pos = i
        while pos == i:
            pos = self.rng.choice(self.by_label[c])
        other = c
        while other == c:
            other = self.labels[self.rng.integers(len(self.labels))]
        neg = self.rng.choice(self.by_label[other])
        return self.x[i], self.x[pos], self.x[neg]

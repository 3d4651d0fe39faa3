import numpy as np
import torch
from torch.utils.data import Dataset, Sampler


def load(path, n_held_out, seed):
    z = np.load(path)
    strokes = z["strokes"].astype(np.float32) / 127.5 - 1.0
    labels = z["labels"].astype(np.int64)
    classes = np.random.default_rng(seed).permutation(labels.max() + 1)
    held = np.isin(labels, classes[:n_held_out])
    return GestureSet(strokes[~held], labels[~held], augment=True), GestureSet(strokes[held], labels[held])


class GestureSet(Dataset):
    """Strokes of T points in the plane, given as (2, T)."""

    def __init__(self, strokes, labels, augment=False):
        centred = strokes - strokes.mean(axis=1, keepdims=True)
        size = np.sqrt((centred**2).sum(-1).mean(1))[:, None, None]
        self.x = torch.from_numpy(centred / size).transpose(1, 2).contiguous()
        self.y = torch.from_numpy(labels)
        self.augment = augment

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        x = self.x[i]
        if self.augment:
            a = torch.randn(()) * 0.1
            rot = torch.stack([torch.stack([a.cos(), -a.sin()]), torch.stack([a.sin(), a.cos()])])
            x = rot @ x * (1 + 0.1 * torch.randn(2, 1)) + 0.02 * torch.randn_like(x)
        return x, self.y[i]


class ClassBalancedBatches(Sampler):
    """P classes with K samples each per batch."""

    def __init__(self, labels, p, k, batches):
        self.p, self.k, self.batches = p, k, batches
        self.by_class = [torch.where(labels == c)[0] for c in labels.unique()]

    def __len__(self):
        return self.batches

    def __iter__(self):
        for _ in range(self.batches):
            batch = []
            for c in torch.randperm(len(self.by_class))[: self.p].tolist():
                pool = self.by_class[c]
                batch += pool[torch.randperm(len(pool))[: self.k]].tolist()
            yield batch

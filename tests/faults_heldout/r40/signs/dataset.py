import numpy as np
import torch
from torch.utils.data import Dataset

from .render import CLASSES, sign


class Compose:
    def __init__(self, *fs):
        self.fs = fs

    def __call__(self, x):
        for f in self.fs:
            x = f(x)
        return x


class RandomFlip:
    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, x):
        return x.flip(-1) if torch.rand(()) < self.p else x


class RandomGain:
    def __init__(self, lo=0.8, hi=1.2):
        self.lo, self.hi = lo, hi

    def __call__(self, x):
        return x * (self.lo + (self.hi - self.lo) * torch.rand(()))


class SignDataset(Dataset):
    def __init__(self, n, seed, transform=None):
        rng = np.random.default_rng(seed)
        self.y = rng.integers(0, len(CLASSES), n)
        x = np.stack([sign(CLASSES[k], rng) for k in self.y])
        self.x = torch.tensor((x - .25) / .3, dtype=torch.float32)[:, None]
        self.transform = transform

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        x = self.x[i]
        return (self.transform(x) if self.transform else x), int(self.y[i])

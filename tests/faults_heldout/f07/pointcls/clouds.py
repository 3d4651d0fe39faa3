import numpy as np
import torch
from torch.utils.data import Dataset

SHAPES = ("sphere", "cube", "cylinder", "cone", "torus")


def _surface(kind, n, r):
    a, b = r.uniform(0, 2 * np.pi, n), r.uniform(-1, 1, n)
    if kind == "sphere":
        s = np.sqrt(1 - b**2)
        return np.stack([s * np.cos(a), s * np.sin(a), b], 1)
    if kind == "cube":
        p = r.uniform(-0.8, 0.8, (n, 3))
        p[np.arange(n), r.integers(0, 3, n)] = 0.8 * r.choice([-1, 1], n)
        return p
    if kind == "cylinder":
        return np.stack([0.7 * np.cos(a), 0.7 * np.sin(a), b], 1)
    if kind == "cone":
        w = np.sqrt(r.uniform(0, 1, n))
        return np.stack([w * np.cos(a), w * np.sin(a), 0.8 - 1.6 * w], 1)
    t = np.pi * b
    return np.stack([(0.75 + 0.3 * np.cos(t)) * np.cos(a), (0.75 + 0.3 * np.cos(t)) * np.sin(a), 0.3 * np.sin(t)], 1)


class Clouds(Dataset):
    """Point clouds of five solids with jitter, stretch and a random turn about z."""

    def __init__(self, size, points=64, seed=0):
        r = np.random.default_rng(seed)
        self.y = r.integers(0, len(SHAPES), size)
        self.x = np.empty((size, points, 3), dtype=np.float32)
        for k, c in enumerate(self.y):
            p = _surface(SHAPES[c], points, r) * r.uniform(0.75, 1.25, 3) + 0.08 * r.normal(size=(points, 3))
            t = r.uniform(0, 2 * np.pi)
            rot = np.array([[np.cos(t), -np.sin(t), 0], [np.sin(t), np.cos(t), 0], [0, 0, 1]])
            self.x[k] = p @ rot.T

    def __len__(self):
        return len(self.y)

    def __getitem__(self, k):
        return torch.from_numpy(self.x[k]), int(self.y[k])

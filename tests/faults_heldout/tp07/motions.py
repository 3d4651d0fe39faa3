import numpy as np
import torch
from torch.utils.data import Dataset

NAMES = ["sit_down", "stand_up", "lie_down", "get_up", "walk", "turn"]
T = 64


def _bump(t, c, w):
    return np.exp(-((t - c) / w) ** 2)


def record(label, r):
    """Three axes of a waist-worn accelerometer, 64 samples around one movement."""
    t = np.linspace(0, 1, T)
    c = r.uniform(0.4, 0.6)
    w = r.uniform(0.09, 0.14)
    a = r.uniform(0.7, 1.3)
    x = np.zeros((3, T))
    step = 1 / (1 + np.exp(-(t - c) / 0.05))
    if label == 0:
        x[2] = a * (-_bump(t, c - .1, w) + 1.5 * _bump(t, c + .13, .6 * w))
        x[0] = 0.3 * step
    elif label == 1:
        x[2] = a * (1.5 * _bump(t, c - .13, .6 * w) - _bump(t, c + .1, w))
        x[0] = 0.3 * (1 - step)
    elif label == 2:
        x[1] = 0.9 * a * step
        x[2] = -0.8 * a * _bump(t, c, w)
    elif label == 3:
        x[1] = 0.9 * a * (1 - step)
        x[2] = -0.8 * a * _bump(t, c, w)
    elif label == 4:
        f = r.uniform(4, 6)
        ph = r.uniform(0, 6.28)
        x[2] = 0.8 * a * np.sin(6.28 * f * t + ph)
        x[0] = 0.4 * a * np.sin(6.28 * f * t + ph + 1)
    else:
        x[0] = a * _bump(t, c, 1.5 * w)
        x[1] = 0.6 * a * np.sin(6.28 * (t - c)) * _bump(t, c, 2 * w)
    return x + r.normal(0, 0.28, x.shape) + r.normal(0, 0.1, (3, 1))


def collect(n, seed):
    r = np.random.default_rng(seed)
    y = r.integers(0, len(NAMES), n)
    x = np.stack([record(k, r) for k in y])
    return x.astype(np.float32), y.astype(np.int64)


class MotionSet(Dataset):
    def __init__(self, x, y, train=False, seed=0):
        self.x, self.y, self.train = x, y, train
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        x = self.x[i]
        if self.train:
            x = self.augment(x)
        return torch.from_numpy(np.ascontiguousarray(x, dtype=np.float32)), int(self.y[i])

    def augment(self, x):
        r = self.rng
        x = x * r.uniform(0.85, 1.15)
        x = np.roll(x, r.integers(-4, 5), axis=1)
        if r.random() < 0.5:
            x = x[:, ::-1]
        return x + r.normal(0, 0.05, x.shape)

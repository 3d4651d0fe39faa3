"""Wrist sensor windows (accelerometer + gyroscope, 6 channels, 40 ticks)."""
import numpy as np
import torch
from torch.utils.data import Dataset

ACTIONS = ("circle_left", "circle_right", "wave_slow", "wave_fast", "shake")
TICKS = 40


def _window(kind, rng):
    t = np.arange(TICKS) / 20.0
    phase = rng.uniform(0, 2 * np.pi)
    amp = rng.uniform(0.7, 1.3)
    x = np.zeros((TICKS, 6))
    f = {"circle_left": 1.2, "circle_right": 1.2, "wave_slow": 0.8, "wave_fast": 2.2, "shake": 5.0}[kind] * rng.uniform(0.9, 1.1)
    a = 2 * np.pi * f * t + phase
    if kind.startswith("circle"):
        sign = 1 if kind.endswith("left") else -1
        x[:, 0], x[:, 1] = np.cos(a), sign * np.sin(a)
        x[:, 5] = 0.2 * np.sin(2 * a)
    else:
        x[:, 0], x[:, 1] = np.cos(a), 0.6 * np.cos(a + 0.4)
        x[:, 4] = 0.3 * np.sin(a)
    return amp * x + rng.normal(0, 0.25, x.shape)


class MotionWindows(Dataset):
    def __init__(self, n, seed, mean=None, std=None):
        rng = np.random.default_rng(seed)
        self.y = rng.integers(0, len(ACTIONS), n)
        x = np.stack([_window(ACTIONS[k], rng) for k in self.y]).astype(np.float32)
        self.mean = x.mean((0, 1)) if mean is None else mean
        self.std = x.std((0, 1)) if std is None else std
        self.x = (x - self.mean) / self.std

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return torch.from_numpy(self.x[i]), int(self.y[i])

import numpy as np
import torch
from torch.utils.data import TensorDataset


def _window(rng, label, length=64, channels=6):
    """One window of a 6-axis IMU, shape (time, channel)."""
    t = np.arange(length) / length
    w = 0.6 * rng.normal(size=(length, channels))
    freq = (3, 5, 8)[label % 3]
    axis = (0, 3)[label // 3]
    amp = rng.uniform(0.8, 1.6)
    w[:, axis] += amp * np.sin(2 * np.pi * (freq * t + rng.random()))
    other = (3, 0)[label // 3]
    w[:, other] += amp * np.sin(2 * np.pi * (rng.choice([3, 5, 8]) * t + rng.random())) * 0.5
    return w


def load_windows(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 6, n)
    x = np.stack([_window(rng, c) for c in y]).astype("float32")
    return TensorDataset(torch.from_numpy(x), torch.from_numpy(y))

import numpy as np
import torch
from torch.utils.data import TensorDataset


def activities(n, cfg, seed):
    """accelerometer+gyro windows shaped (n, window, channels)"""
    r = np.random.default_rng(seed)
    T, C = cfg["window"], cfg["channels"]
    y = r.integers(0, cfg["classes"], n)
    t = np.arange(T) / 25.0
    base = [1.0, 1.0, 1.0, 2.2, 2.2]
    lead = [0, 2, 4, 1, 3]
    x = r.normal(0, 0.9, (n, T, C))
    for i, c in enumerate(y):
        f = base[c] * r.uniform(0.9, 1.1)
        ph = r.uniform(0, 2 * np.pi)
        x[i, :, lead[c]] += 1.1 * np.sin(2 * np.pi * f * t + ph)
        x[i, :, (lead[c] + 1) % C] += 0.9 * np.cos(2 * np.pi * f * t + ph)
        x[i, :, 5 - lead[c]] += 0.5 * np.sin(4 * np.pi * f * t)
    return TensorDataset(torch.tensor(x, dtype=torch.float32), torch.tensor(y))

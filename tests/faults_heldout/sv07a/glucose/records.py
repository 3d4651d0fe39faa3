"""Night-time glucose records: one reading every ten minutes, the sensor is taken off at different times."""
import numpy as np
import torch
from torch.utils.data import Dataset

FILL = -5.0


def one_night(rng, longest):
    n = int(rng.integers(10, longest + 1))
    level, drift, phase = rng.normal(0, 0.5), rng.normal(0, 0.02), rng.uniform(0, 6.28)
    period = rng.uniform(8, 14)
    t = np.arange(n)
    meal = np.zeros(n)
    start = int(rng.integers(0, n))
    tail = t[start:] - start
    meal[start:] = 1.5 * (tail / 3.0) * np.exp(1 - tail / 3.0)
    return level + drift * t + 0.8 * np.sin(2 * np.pi * t / period + phase) + meal + rng.normal(0, 0.05, n)


class Nights(Dataset):
    def __init__(self, count, longest, seed):
        rng = np.random.default_rng(seed)
        self.series = np.full((count, longest), FILL, dtype=np.float32)
        self.length = np.zeros(count, dtype=np.int64)
        for k in range(count):
            s = one_night(rng, longest)
            self.series[k, : len(s)] = s
            self.length[k] = len(s)

    def __len__(self):
        return len(self.length)

    def __getitem__(self, k):
        return torch.from_numpy(self.series[k]), int(self.length[k])

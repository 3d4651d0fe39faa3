"""Synthetic seismograms with labelled arrivals."""
import numpy as np
import torch
from torch.utils.data import Dataset


def ricker(width):
    t = np.arange(-3 * width, 3 * width + 1)
    a = (np.pi * t / (2.5 * width)) ** 2
    return (1 - 2 * a) * np.exp(-a)


class Seismograms(Dataset):
    def __init__(self, n, length, noise, seed):
        rng = np.random.default_rng(seed)
        self.x = np.empty((n, 1, length), dtype=np.float32)
        self.y = np.zeros((n, length), dtype=np.float32)
        for i in range(n):
            trace = np.convolve(rng.normal(0, noise, length + 8), np.ones(5) / np.sqrt(5), "same")[:length]
            for _ in range(rng.integers(1, 5)):
                w = rng.integers(3, 7)
                pos = rng.integers(25, length - 40)
                pulse = ricker(w) * rng.uniform(1.2, 2.5) * rng.choice([-1, 1])
                lo = pos - 3 * w
                trace[lo:lo + len(pulse)] += pulse
                coda = np.exp(-np.arange(30) / 10) * rng.normal(0, 0.5, 30)
                trace[pos + w:pos + w + 30] += coda[: length - pos - w]
                self.y[i, pos - 6:pos + 7] = 1.0
            self.x[i, 0] = (trace - trace.mean()) / trace.std()

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return torch.from_numpy(self.x[i]), torch.from_numpy(self.y[i])

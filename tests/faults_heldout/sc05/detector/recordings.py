"""Simulated hydrophone recordings with short click trains and up-sweeps to be found frame by frame."""
import numpy as np
import torch
from torch.utils.data import Dataset

LENGTH = 256


def _chirp(rng, n):
    t = np.arange(n)
    f0, f1 = 0.04, 0.16
    phase = 2 * np.pi * (f0 * t + (f1 - f0) * t**2 / (2 * n))
    return np.sin(phase + rng.uniform(0, 2 * np.pi)) * np.hanning(n)


def _down_chirp(rng, n):
    return _chirp(rng, n)[::-1]


def make_recording(rng):
    x = rng.normal(0, 0.35, LENGTH)
    label = np.zeros(LENGTH, dtype=np.int64)
    pos = rng.integers(0, 30)
    while pos < LENGTH - 60:
        n = int(rng.integers(36, 52))
        up = rng.random() < 0.5
        call = _chirp(rng, n) if up else _down_chirp(rng, n)
        x[pos:pos + n] += rng.uniform(0.8, 1.4) * call
        label[pos:pos + n] = 1 if up else 2
        pos += n + int(rng.integers(15, 70))
    return x.astype(np.float32), label


class Recordings(Dataset):
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        pairs = [make_recording(rng) for _ in range(n)]
        self.x = torch.from_numpy(np.stack([p[0] for p in pairs])).unsqueeze(1)
        self.y = torch.from_numpy(np.stack([p[1] for p in pairs]))

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]

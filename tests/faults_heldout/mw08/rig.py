import numpy as np
import torch
from torch.utils.data import Dataset

N_SENSORS = 6
N_SAMPLES = 96


class BearingRig(Dataset):
    """Short accelerometer records, stored as (time, sensor). Target: the bearing that knocks."""

    def __init__(self, n, seed):
        g = np.random.default_rng(seed)
        t = np.arange(N_SAMPLES)
        self.target = torch.from_numpy(g.integers(0, N_SENSORS, n))
        rec = g.normal(0, 0.6, (n, N_SAMPLES, N_SENSORS))
        hum = np.sin(2 * np.pi * (t[None] / 24 + g.random((n, 1))))
        rec += 0.8 * hum[:, :, None]
        for i, k in enumerate(self.target.tolist()):
            period = g.integers(10, 15)
            knocks = np.zeros(N_SAMPLES)
            for s in range(g.integers(0, period), N_SAMPLES, period):
                tail = np.arange(N_SAMPLES - s)
                knocks[s:] += np.exp(-tail / 2.0) * np.cos(tail * 1.9)
            amp = g.uniform(1.2, 2.0)
            rec[i, :, k] += amp * knocks
            rec[i, :, (k + 1) % N_SENSORS] += 0.5 * amp * knocks
            rec[i, :, (k - 1) % N_SENSORS] += 0.5 * amp * knocks
        self.records = torch.from_numpy(rec.astype(np.float32))

    def __len__(self):
        return len(self.target)

    def __getitem__(self, i):
        return self.records[i], self.target[i]

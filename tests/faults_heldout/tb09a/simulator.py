"""Ring-down signals of a cantilever: amplitude * exp(-gamma t) * sin(omega t + phase) + noise."""
import numpy as np
import torch
from torch.utils.data import IterableDataset

T = np.linspace(0.0, 1.0, 96)
OMEGA = (15.0, 60.0)
GAMMA = (0.5, 6.0)


def draw(rng, n, noise):
    u = rng.uniform(-1, 1, size=(n, 2))
    omega = np.mean(OMEGA) + u[:, :1] * np.ptp(OMEGA) / 2
    gamma = np.mean(GAMMA) + u[:, 1:] * np.ptp(GAMMA) / 2
    phase = rng.uniform(0, 2 * np.pi, size=(n, 1))
    amp = rng.uniform(0.8, 1.5, size=(n, 1))
    sig = amp * np.exp(-gamma * T) * np.sin(omega * T + phase)
    sig += noise * rng.normal(size=sig.shape)
    return torch.tensor(sig, dtype=torch.float32), torch.tensor(u, dtype=torch.float32)


class RingdownStream(IterableDataset):
    """Simulates one batch per step; every step has its own seed so that runs can be replayed."""

    def __init__(self, steps, batch_size, noise, seed, seed_stride):
        self.steps, self.batch_size, self.noise = steps, batch_size, noise
        self.seed, self.seed_stride = seed, seed_stride

    def __len__(self):
        return self.steps

    def __iter__(self):
        for step in range(self.steps):
            rng = np.random.default_rng(self.seed + step * self.seed_stride)
            yield draw(rng, self.batch_size, self.noise)

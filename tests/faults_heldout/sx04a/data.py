import numpy as np
import torch
from torch.utils.data import TensorDataset


def make_records(n, length, seed):
    """Flow-meter records: a noisy flow and the valve state; target is the volume billed while the valve was open."""
    rng = np.random.default_rng(seed)
    flow = rng.normal(0, 1, (n, length)).astype(np.float32)
    for t in range(1, length):
        flow[:, t] = 0.8 * flow[:, t - 1] + 0.6 * flow[:, t]
    valve = np.zeros((n, length), np.float32)
    for i in range(n):
        start = rng.integers(0, length - 20)
        valve[i, start:start + rng.integers(8, 20)] = 1.0
    volume = (flow * valve).sum(1) / 8.0
    x = np.stack([flow, valve], -1)
    return TensorDataset(torch.from_numpy(x), torch.from_numpy(volume.astype(np.float32)))

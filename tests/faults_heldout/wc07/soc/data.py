from pathlib import Path

import numpy as np
import torch

FILE = Path(__file__).resolve().parent.parent / "cycles.npz"


class CycleSet:
    """Whole drive cycles, shape (cycles, time, features); every cycle starts near full charge."""

    def __init__(self, x, soc):
        self.x, self.soc = x, soc

    def __len__(self):
        return len(self.x)

    def batches(self, size, rng=None):
        order = np.arange(len(self)) if rng is None else rng.permutation(len(self))
        for i in range(0, len(order), size):
            idx = torch.from_numpy(order[i:i + size])
            yield self.x[idx], self.soc[idx]


def chunks(x, soc, length):
    for start in range(0, x.shape[1], length):
        yield x[:, start:start + length], soc[:, start:start + length]


def load(val_cycles):
    z = np.load(FILE)
    x = np.stack([z["current"], z["voltage"], z["temperature"]], axis=-1)
    train, val = x[val_cycles:], x[:val_cycles]
    mu, sd = train.mean((0, 1)), train.std((0, 1))
    soc = torch.from_numpy(z["soc"])
    to = lambda a: torch.from_numpy(((a - mu) / sd).astype(np.float32))
    return CycleSet(to(train), soc[val_cycles:]), CycleSet(to(val), soc[:val_cycles])

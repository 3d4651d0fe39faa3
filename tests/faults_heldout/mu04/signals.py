import numpy as np
import torch

CLASSES = ["ok", "imbalance", "bearing", "looseness", "rub"]
LENGTH = 128


def recording(kind, rng):
    t = np.arange(LENGTH) / LENGTH
    f = rng.uniform(6, 9)
    ph = rng.uniform(0, 2 * np.pi)
    s = np.sin(2 * np.pi * f * t + ph)
    if kind == 1:
        s = 1.8 * s
    elif kind == 2:
        s = s + 0.8 * np.sin(2 * np.pi * 3.6 * f * t + rng.uniform(0, 6)) * (np.sin(2 * np.pi * f * t + ph) > 0.3)
    elif kind == 3:
        s = s + 0.6 * np.sin(2 * np.pi * 0.5 * f * t + rng.uniform(0, 6)) + 0.3 * np.sin(2 * np.pi * 2 * f * t)
    elif kind == 4:
        s = np.clip(s, -1, 0.35)
    return s + rng.normal(0, 0.3, LENGTH)


def training_set(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, len(CLASSES), n)
    x = np.stack([recording(k, rng) for k in y])
    return torch.tensor(x, dtype=torch.float32)[:, None], torch.tensor(y)


def machines(n, per_machine, seed):
    """One entry for a machine: all recordings of a machine share its condition."""
    rng = np.random.default_rng(seed)
    out = []
    for _ in range(n):
        k = int(rng.integers(0, len(CLASSES)))
        x = np.stack([recording(k, rng) for _ in range(per_machine)])
        out.append((torch.tensor(x, dtype=torch.float32)[:, None], k))
    return out

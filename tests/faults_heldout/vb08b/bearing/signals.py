"""Synthetic vibration snippets of a rotating machine."""
import numpy as np
import torch

CONDITIONS = ["normal", "outer_race", "inner_race", "imbalance", "looseness", "gear_wear"]
LENGTH = 256


def _impulses(rng, period, ring, decay):
    t = np.arange(LENGTH)
    out = np.zeros(LENGTH)
    start = rng.uniform(0, period)
    while start < LENGTH:
        after = t - start
        out += np.where(after >= 0, np.exp(-np.clip(after, 0, None) / decay) * np.sin(ring * after), 0)
        start += period * rng.normal(1, 0.02)
    return out


def snippet(rng, condition):
    t = np.arange(LENGTH)
    shaft = 2 * np.pi / rng.uniform(58, 66)
    phase = rng.uniform(0, 2 * np.pi)
    x = 0.5 * np.sin(shaft * t + phase)
    if condition == 1:
        x += rng.uniform(0.7, 1.2) * _impulses(rng, 25, 1.1, 5)
    elif condition == 2:
        am = 1 + 0.8 * np.sin(shaft * t + rng.uniform(0, 6))
        x += rng.uniform(0.7, 1.2) * am * _impulses(rng, 17, 1.1, 5)
    elif condition == 3:
        x += rng.uniform(0.3, 0.5) * np.sin(shaft * t + phase)
    elif condition == 4:
        x += sum(rng.uniform(0.1, 0.3) * np.sin(k * shaft * t + rng.uniform(0, 6)) for k in (2, 3, 4, 5))
    elif condition == 5:
        x += 0.5 * (1 + np.sin(shaft * t + rng.uniform(0, 6))) * np.sin(1.1 * t + rng.uniform(0, 6)) * rng.uniform(0.4, 0.7)
    return x + rng.normal(0, 0.25, LENGTH)


def build(n, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, len(CONDITIONS), n)
    x = np.stack([snippet(rng, c) for c in labels]).astype(np.float32)
    return torch.from_numpy(x).unsqueeze(1), torch.from_numpy(labels)

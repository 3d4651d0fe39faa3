"""Synthetic drive logs of a small battery pack (1 Hz would be huge; these are 10 s averages)."""
import numpy as np


def drive(rng, length):
    """Returns features [length, 3] = current, voltage, temperature and the state of charge [length]."""
    capacity = 40.0
    soc = rng.uniform(0.55, 0.95)
    temp = rng.uniform(8, 30)
    feats, target = np.zeros((length, 3)), np.zeros(length)
    demand, polar = 0.0, 0.0
    for k in range(length):
        demand = 0.9 * demand + rng.normal(0, 0.25)
        current = 0.2 + demand
        soc = float(np.clip(soc - current / (capacity * 1.6), 0.02, 0.99))
        polar = 0.85 * polar + 0.15 * current
        temp += 0.02 * current ** 2 - 0.004 * (temp - 18)
        # LFP cell: the open circuit voltage is almost flat in the middle of the range
        ocv = 3.28 + 0.01 * (soc - 0.5) - 0.12 * np.exp(-30 * soc) + 0.08 * np.exp(-30 * (1 - soc))
        feats[k] = current, ocv - 0.05 * current - 0.03 * polar + rng.normal(0, 0.03), temp
        target[k] = soc
    return feats, target


def fleet(count, length, seed):
    rng = np.random.default_rng(seed)
    x, y = zip(*(drive(rng, length) for _ in range(count)))
    return np.stack(x).astype(np.float32), np.stack(y).astype(np.float32)

import numpy as np
import torch


def vibration(kind, n, rng):
    t = np.arange(n) / n
    f0 = rng.uniform(9, 11)
    x = np.sin(2 * np.pi * f0 * t + rng.uniform(0, 6.28)) + 0.35 * rng.standard_normal(n)
    if kind == "cavitation":
        burst = (rng.random(n) < 0.12) * rng.normal(0, 2.2, n)
        x = x + np.convolve(burst, [0.4, 1.0, -0.6], mode="same")
    elif kind == "bearing":
        period = rng.integers(11, 14)
        x = x + 1.4 * ((np.arange(n) + rng.integers(period)) % period == 0)
    elif kind == "misaligned":
        x = x + 0.9 * np.sin(4 * np.pi * f0 * t + rng.uniform(0, 6.28))
    elif kind == "leak":
        x = 0.55 * x + 0.5 * np.cumsum(rng.standard_normal(n)) / np.sqrt(n) * 2
    return x


def build(classes, per_class, window, seed):
    rng = np.random.default_rng(seed)
    x = np.stack([vibration(c, window, rng) for c in classes for _ in range(per_class)])
    y = np.repeat(np.arange(len(classes)), per_class)
    x = (x - x.mean()) / x.std()
    order = rng.permutation(len(y))
    return (torch.tensor(x[order, None], dtype=torch.float32), torch.tensor(y[order]))

import numpy as np
import torch


def pinwheel(n, arms, rng):
    which = rng.integers(0, arms, n)
    pts = rng.standard_normal((n, 2)) * np.array([0.3, 0.06]) + np.array([1.0, 0.0])
    angle = 2 * np.pi * which / arms + 0.25 * np.exp(pts[:, 0])
    c, s = np.cos(angle), np.sin(angle)
    return 2.2 * np.stack([c * pts[:, 0] - s * pts[:, 1], s * pts[:, 0] + c * pts[:, 1]], 1)


def rings(n, arms, rng):
    r = 0.6 * (1 + rng.integers(0, arms, n)) + 0.05 * rng.standard_normal(n)
    a = rng.uniform(0, 2 * np.pi, n)
    return np.stack([r * np.cos(a), r * np.sin(a)], 1)


def make(shape, n, arms, seed):
    rng = np.random.default_rng(seed)
    pts = {"pinwheel": pinwheel, "rings": rings}[shape](n, arms, rng)
    return torch.tensor(pts, dtype=torch.float32)

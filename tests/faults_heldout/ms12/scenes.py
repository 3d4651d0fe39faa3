"""Tiny colour scenes (3x16x16) with one object; the label is its shape."""
import numpy as np
import torch
from torch.utils.data import TensorDataset

SHAPES = ("disc", "ring", "square", "cross", "triangle")


def _mask(shape, cy, cx, r):
    y, x = np.mgrid[0:16, 0:16]
    y, x = y - cy, x - cx
    if shape == "disc":
        return (x ** 2 + y ** 2) < r ** 2
    if shape == "ring":
        d = x ** 2 + y ** 2
        return (d < r ** 2) & (d > (0.55 * r) ** 2)
    if shape == "square":
        return (abs(x) < 0.85 * r) & (abs(y) < 0.85 * r)
    if shape == "cross":
        return ((abs(x) < 0.33 * r) | (abs(y) < 0.33 * r)) & (abs(x) < r) & (abs(y) < r)
    return (y < 0.7 * r) & (y > -r) & (abs(x) < 0.6 * (y + r))


def build(n, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, len(SHAPES), n)
    images = np.empty((n, 3, 16, 16), dtype=np.float32)
    for i, k in enumerate(labels):
        back, front = rng.uniform(0.05, 0.3, 3), rng.uniform(0.65, 1.0, 3)
        m = _mask(SHAPES[k], rng.uniform(6.5, 9.5), rng.uniform(6.5, 9.5), rng.uniform(4.4, 5.8))
        images[i] = np.where(m[None], front[:, None, None], back[:, None, None]) + rng.normal(0, 0.08, (3, 16, 16))
    return TensorDataset(torch.from_numpy((images - 0.4) / 0.3), torch.from_numpy(labels))

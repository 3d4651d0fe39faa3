import numpy as np
import torch


def sample(rng):
    """One microscope crop of arbitrary size with its mask. Debris is bright as well, but thin."""
    h, w = rng.integers(20, 41, 2)
    yy, xx = np.mgrid[:h, :w]
    img = rng.normal(0, 0.25, (h, w)) + rng.uniform(-0.3, 0.3) + 0.4 * (xx / w) * rng.uniform(-1, 1)
    mask = np.zeros((h, w), bool)
    for _ in range(rng.integers(2, 5)):
        cy, cx = rng.uniform(3, h - 3), rng.uniform(3, w - 3)
        a, b = rng.uniform(3, 6, 2)
        t = rng.uniform(0, np.pi)
        u = (xx - cx) * np.cos(t) + (yy - cy) * np.sin(t)
        v = -(xx - cx) * np.sin(t) + (yy - cy) * np.cos(t)
        cell = (u / a) ** 2 + (v / b) ** 2 < 1
        img[cell] += rng.uniform(0.7, 1.1)
        mask |= cell
    for _ in range(rng.integers(1, 4)):
        cy, cx, t = rng.uniform(0, h), rng.uniform(0, w), rng.uniform(0, np.pi)
        d = np.abs(-(xx - cx) * np.sin(t) + (yy - cy) * np.cos(t))
        img[(d < 0.7) & ~mask] += 0.9
    return torch.tensor(img, dtype=torch.float32)[None], torch.tensor(mask, dtype=torch.float32)[None]


def collection(n, seed):
    rng = np.random.default_rng(seed)
    return [sample(rng) for _ in range(n)]

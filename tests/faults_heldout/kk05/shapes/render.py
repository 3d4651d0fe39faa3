"""Synthetic line drawings: circle, square, triangle, cross, bar, ring."""
import numpy as np
import torch


def _draw(kind, size, rng):
    yy, xx = np.mgrid[0:size, 0:size].astype(np.float32)
    cx, cy = rng.uniform(size * 0.35, size * 0.65, 2)
    r = rng.uniform(size * 0.2, size * 0.32)
    a = rng.uniform(-0.3, 0.3)
    u = (xx - cx) * np.cos(a) + (yy - cy) * np.sin(a)
    v = -(xx - cx) * np.sin(a) + (yy - cy) * np.cos(a)
    d = np.hypot(u, v)
    if kind == 0:
        m = d < r
    elif kind == 1:
        m = np.maximum(abs(u), abs(v)) < r * 0.9
    elif kind == 2:
        m = (v > -r) & (v < r * 0.8) & (abs(u) < (v + r) * 0.6)
    elif kind == 3:
        m = ((abs(u) < r * 0.3) | (abs(v) < r * 0.3)) & (np.maximum(abs(u), abs(v)) < r)
    elif kind == 4:
        m = (abs(v) < r * 0.35) & (abs(u) < r * 1.2)
    else:
        m = (d < r) & (d > r * 0.55)
    return m.astype(np.float32)


def make_images(n, size, noise, classes, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(classes, size=n)
    images = np.stack([_draw(k, size, rng) for k in labels])
    images += rng.normal(0, noise, images.shape)
    return torch.tensor(images, dtype=torch.float32).unsqueeze(1), torch.tensor(labels)

"""Synthetic scenes: at most one object (disc, square or cross) on a textured background."""
import numpy as np
import torch

SIZE = 32
KINDS = ("disc", "square", "cross")


def scene(rng, p_empty=0.25):
    img = rng.normal(0.35, 0.05, (SIZE, SIZE)) + 0.15 * np.sin(np.arange(SIZE) / rng.uniform(3, 8))[None]
    if rng.random() < p_empty:
        return img, 0.0, 0, np.zeros(4)
    kind = int(rng.integers(3))
    h = rng.uniform(3.5, 7)
    cx, cy = rng.uniform(h, SIZE - h, 2)
    yy, xx = np.mgrid[:SIZE, :SIZE] + 0.5
    dx, dy = np.abs(xx - cx), np.abs(yy - cy)
    if kind == 0:
        mask = dx ** 2 + dy ** 2 < h ** 2
    elif kind == 1:
        mask = np.maximum(dx, dy) < h
    else:
        mask = (np.maximum(dx, dy) < h) & (np.minimum(dx, dy) < h / 3)
    img = img + mask * rng.uniform(0.3, 0.6)
    return img, 1.0, kind, np.array([cx, cy, 2 * h, 2 * h]) / SIZE


def make(n, seed):
    rng = np.random.default_rng(seed)
    imgs, obj, kinds, boxes = zip(*(scene(rng) for _ in range(n)))
    x = torch.tensor(np.stack(imgs), dtype=torch.float32).unsqueeze(1)
    return (x - 0.4) / 0.2, torch.tensor(obj, dtype=torch.float32), torch.tensor(kinds), \
        torch.tensor(np.stack(boxes), dtype=torch.float32)

import numpy as np
import torch
from torch.utils.data import TensorDataset

SHAPES = ("box", "disc", "ring", "cross", "wedge", "bars")


def draw(kind, h, w):
    v, u = np.meshgrid(np.linspace(-1, 1, h), np.linspace(-1, 1, w), indexing="ij")
    r = np.sqrt(u**2 + v**2)
    if kind == "box":
        m = np.ones((h, w), dtype=bool)
    elif kind == "disc":
        m = r <= 1.0
    elif kind == "ring":
        m = (r <= 1.0) & (r >= 0.55)
    elif kind == "cross":
        m = (np.abs(u) < 0.3) | (np.abs(v) < 0.3)
    elif kind == "wedge":
        m = u <= v
    else:
        m = (np.arange(h) % 3 != 2)[:, None] & np.ones((1, w), dtype=bool)
    return m.astype(np.float32)


def make_scenes(n, canvas, clutter, rng):
    """One shape at a random place on a noisy canvas; the box is (cx, cy, w, h) in pixels."""
    x = rng.normal(0, clutter, size=(n, 1, canvas, canvas)).astype(np.float32)
    y = rng.integers(len(SHAPES), size=n)
    box = np.empty((n, 4), dtype=np.float32)
    for k in range(n):
        h, w = rng.integers(7, 14, size=2)
        left, top = rng.integers(0, canvas - w + 1), rng.integers(0, canvas - h + 1)
        x[k, 0, top : top + h, left : left + w] += rng.uniform(0.7, 1.2) * draw(SHAPES[y[k]], h, w)
        box[k] = (left + w / 2, top + h / 2, w, h)
    return TensorDataset(torch.from_numpy(x), torch.from_numpy(y), torch.from_numpy(box))


def build_sets(seed, canvas, clutter, n_train, n_val):
    rng = np.random.default_rng(seed)
    return make_scenes(n_train, canvas, clutter, rng), make_scenes(n_val, canvas, clutter, rng)

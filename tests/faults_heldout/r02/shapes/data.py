import numpy as np
import torch

KINDS = ("square", "disc", "cross", "hbar", "vbar", "ring", "diag", "corner", "tee")


def draw(kind, rng, size=20):
    yy, xx = np.mgrid[:size, :size]
    cy, cx = rng.uniform(7, 12, 2)
    r = rng.uniform(4, 6)
    dy, dx = yy - cy, xx - cx
    if kind == "square":
        m = (abs(dy) < r * .8) & (abs(dx) < r * .8)
    elif kind == "disc":
        m = dy ** 2 + dx ** 2 < r ** 2
    elif kind == "cross":
        m = ((abs(dy) < 1.5) | (abs(dx) < 1.5)) & (abs(dy) < r) & (abs(dx) < r)
    elif kind == "hbar":
        m = (abs(dy) < 2) & (abs(dx) < r)
    elif kind == "vbar":
        m = (abs(dx) < 2) & (abs(dy) < r)
    elif kind == "ring":
        d = np.sqrt(dy ** 2 + dx ** 2)
        m = (d < r) & (d > r - 2.2)
    elif kind == "diag":
        m = (abs(dy - dx) < 2) & (abs(dy) < r)
    elif kind == "corner":
        m = ((abs(dy - r * .7) < 1.5) | (abs(dx + r * .7) < 1.5)) & (abs(dy) < r) & (abs(dx) < r)
    else:
        m = ((abs(dy + r * .7) < 1.5) | (abs(dx) < 1.5)) & (abs(dy) < r) & (abs(dx) < r)
    img = m * rng.uniform(.6, 1.0) + rng.normal(0, .15, (size, size))
    return img.astype(np.float32)


def make_split(kinds, n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, len(kinds), n)
    x = np.stack([draw(kinds[k], rng) for k in y])[:, None]
    return torch.from_numpy((x - 0.2) / 0.35), torch.from_numpy(y)

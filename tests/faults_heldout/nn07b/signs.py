"""Rendered 24x24 direction panels for the warehouse robot."""
import numpy as np

CLASSES = ["left", "right", "bend_left", "bend_right", "ahead", "stop"]


def _draw(kind, rng):
    g = np.zeros((24, 24), np.float32)
    cy, cx = rng.integers(9, 15), rng.integers(9, 15)
    L, th = rng.integers(5, 8), rng.integers(1, 3)
    yy, xx = np.mgrid[0:24, 0:24]

    def bar(y0, y1, x0, x1):
        g[max(0, y0):y1, max(0, x0):x1] = 1.0

    if kind in ("left", "right"):
        s = -1 if kind == "left" else 1
        bar(cy, cy + th, cx - L, cx + L)
        tip = cx + s * L
        head = (np.abs(yy - cy) <= (tip + s - xx) * s) & ((tip - xx) * s <= 3) & ((tip - xx) * s >= 0)
        g[head] = 1.0
    elif kind in ("bend_left", "bend_right"):
        bar(cy - 2, cy + L, cx, cx + th)
        if kind == "bend_left":
            bar(cy - 2, cy - 2 + th, cx - L, cx + th)
        else:
            bar(cy - 2, cy - 2 + th, cx, cx + L)
    elif kind == "ahead":
        bar(cy - L, cy + L, cx, cx + th)
        tip = cy - L
        g[(np.abs(xx - cx) <= yy - tip + 1) & (yy - tip <= 3) & (yy - tip >= 0)] = 1.0
    else:
        g[(np.abs(yy - cy) <= L - 2) & (np.abs(xx - cx) <= L - 2)] = 1.0
    return g


def render(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, len(CLASSES), n)
    x = np.stack([_draw(CLASSES[k], rng) for k in y])
    contrast = rng.uniform(0.5, 1.0, (n, 1, 1))
    x = x * contrast + rng.normal(0, 0.2, x.shape)
    return x.astype(np.float32)[:, None], y.astype(np.int64)

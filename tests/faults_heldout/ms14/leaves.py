"""Crops of plant leaves, uint8 RGB 20x20: healthy / rust / mildew / blight."""
import numpy as np

CONDITIONS = ("healthy", "rust", "mildew", "blight")


def photograph(k, rng):
    g = rng.uniform(0.8, 1.2)
    img = np.empty((20, 20, 3))
    img[:] = np.array([70, 120, 55]) * g + rng.normal(0, 10, 3)
    veins = np.abs((np.arange(20)[None] - 10) * rng.uniform(-0.5, 0.5) + np.arange(20)[:, None] - 10) < 1
    img[veins] += 18
    y, x = np.mgrid[0:20, 0:20]
    tint = {1: np.array([95, -20, -25]), 2: np.array([60, 45, 70]), 3: np.array([-30, -75, -25])}.get(k)
    if tint is not None:
        for _ in range(int(rng.integers(3, 7))):
            cy, cx = rng.uniform(2, 18, 2)
            r = rng.uniform(1.2, 2.6)
            spot = np.exp(-((y - cy) ** 2 + (x - cx) ** 2) / r ** 2)
            img += spot[..., None] * tint * rng.uniform(0.45, 0.9)
    return np.clip(img + rng.normal(0, 9, img.shape), 0, 255).astype(np.uint8)


def collect(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, len(CONDITIONS), n)
    return np.stack([photograph(k, rng) for k in y]), y.astype(np.int64)

"""Touch strokes: 24 points (x, y) each."""
import numpy as np

CLASSES = ["left", "right", "up", "down", "circle_cw", "circle_ccw"]
POINTS = 24


def stroke(name, rng):
    t = np.linspace(0, 1, POINTS)
    bend = rng.normal(0, 0.15) * np.sin(np.pi * t)
    if name in ("left", "right"):
        sign = 1.0 if name == "right" else -1.0
        pts = np.stack([sign * t * rng.uniform(0.6, 1.2), bend], 1)
    elif name in ("up", "down"):
        sign = 1.0 if name == "up" else -1.0
        pts = np.stack([bend, sign * t * rng.uniform(0.6, 1.2)], 1)
    else:
        turn = 1.0 if name == "circle_ccw" else -1.0
        a = rng.uniform(0, 2 * np.pi) + turn * 2 * np.pi * t * rng.uniform(0.8, 1.1)
        pts = rng.uniform(0.3, 0.6) * np.stack([np.cos(a), np.sin(a)], 1)
        pts = pts - pts[0]
    return (pts + rng.normal(0, 0.04, pts.shape)).astype(np.float32)


def make(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, len(CLASSES), n)
    return np.stack([stroke(CLASSES[k], rng) for k in y]), y

"""Pen strokes as recorded by the e-ink tablet: (x, y) tracks resampled to a fixed number of points."""
import numpy as np

CLASSES = ["swipe_right", "swipe_left", "swipe_up", "swipe_down", "circle_cw", "circle_ccw", "caret", "vee"]


def _path(name, s, rng):
    if name.startswith("swipe"):
        bend = rng.normal(0, 0.25)
        x, y = 2 * s - 1, bend * (1 - (2 * s - 1) ** 2)
        turn = {"right": 0, "up": np.pi / 2, "left": np.pi, "down": -np.pi / 2}[name.split("_")[1]]
        c, q = np.cos(turn), np.sin(turn)
        return np.stack([c * x - q * y, q * x + c * y], 1)
    if name.startswith("circle"):
        sign = -1 if name.endswith("_cw") else 1
        a = rng.uniform(0, 2 * np.pi) + sign * 2 * np.pi * s * rng.uniform(0.85, 1.1)
        return np.stack([np.cos(a), rng.uniform(0.7, 1.0) * np.sin(a)], 1)
    peak = rng.uniform(0.42, 0.58)
    tri = np.where(s < peak, s / peak, (1 - s) / (1 - peak))
    y = 1.6 * tri - 0.8
    return np.stack([1.2 * s - 0.6, y if name == "caret" else -y], 1)


def draw(name, rng, points):
    warp = rng.uniform(0.7, 1.4)
    s = np.linspace(0, 1, points) ** warp
    xy = _path(name, s, rng) * rng.uniform(0.6, 1.2)
    tilt = rng.normal(0, np.deg2rad(9))
    c, q = np.cos(tilt), np.sin(tilt)
    xy = xy @ np.array([[c, q], [-q, c]])
    wobble = np.cumsum(rng.normal(0, 0.05, xy.shape), 0)
    return xy + wobble + rng.normal(0, 0.04, xy.shape)


def table(n, points, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, len(CLASSES), n)
    return np.stack([draw(CLASSES[k], rng, points) for k in labels]).astype(np.float32), labels

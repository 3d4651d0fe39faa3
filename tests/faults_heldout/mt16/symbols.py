"""Scanned plan symbols, 20x20, with jitter, stroke noise and paper grain."""
import numpy as np
import torch

N = 20
YY, XX = np.mgrid[0:N, 0:N].astype(float)


def _line(a, b, w):
    a, b = np.asarray(a, float), np.asarray(b, float)
    d = b - a
    u = np.clip(((XX - a[0]) * d[0] + (YY - a[1]) * d[1]) / (d @ d + 1e-9), 0, 1)
    dist = np.hypot(XX - a[0] - u * d[0], YY - a[1] - u * d[1])
    return np.exp(-(dist / w) ** 2)


def _ring(c, r, w):
    return np.exp(-((np.hypot(XX - c[0], YY - c[1]) - r) / w) ** 2)


def draw(name, rng):
    c = rng.uniform(8.5, 10.5, 2)
    r = rng.uniform(4.5, 6.5)
    w = rng.uniform(0.8, 1.2)
    th = rng.normal(0, 0.12)

    def at(dx, dy):
        return c + r * np.array([dx * np.cos(th) - dy * np.sin(th), dx * np.sin(th) + dy * np.cos(th)])

    corners = [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)]
    box = [_line(corners[k], corners[(k + 1) % 4], w) for k in range(4)]
    plus = [_line(at(-1, 0), at(1, 0), w), _line(at(0, -1), at(0, 1), w)]
    cross = [_line(at(-0.7, -0.7), at(0.7, 0.7), w), _line(at(-0.7, 0.7), at(0.7, -0.7), w)]
    tri = [_line(at(-1, 0.8), at(1, 0.8), w), _line(at(1, 0.8), at(0, -1), w), _line(at(0, -1), at(-1, 0.8), w)]
    parts = {
        "box": box, "ring": [_ring(c, r, w)], "plus": plus, "cross": cross, "triangle": tri,
        "bar": [_line(at(-1, 0), at(1, 0), w)],
        "valve": tri + [_line(at(-0.7, -0.9), at(0.7, -0.9), w)],
        "pump": [_ring(c, r, w), _line(at(0, -1), at(0.85, 0.5), w)],
        "lamp": [_ring(c, r, w)] + cross,
        "socket": [_ring(c, r * 0.7, w), _line(at(-1, 0.7), at(1, 0.7), w)],
        "switch": box + [_line(at(-1, 1), at(1, -1), w)],
    }[name]
    img = np.max(parts, axis=0) * rng.uniform(0.7, 1.0)
    return img + rng.normal(0, 0.32, img.shape)


def dataset(names, n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, len(names), n)
    x = np.stack([draw(names[k], rng) for k in y]).astype(np.float32)
    return torch.from_numpy((x - 0.2) / 0.35)[:, None], torch.from_numpy(y)

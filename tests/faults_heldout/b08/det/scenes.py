import numpy as np
import torch

S, STRIDE = 32, 4


def draw(rng):
    img = rng.normal(0.1, 0.08, (S, S)).astype(np.float32)
    g = S // STRIDE
    cls, box = np.zeros((3, g, g), np.float32), np.zeros((4, g, g), np.float32)
    pos = np.zeros((1, g, g), np.float32)
    yy, xx = np.mgrid[:S, :S]
    for _ in range(rng.integers(1, 4)):
        k = rng.integers(3)
        w, h = rng.integers(6, 12, 2)
        cx, cy = rng.uniform(w / 2, S - w / 2), rng.uniform(h / 2, S - h / 2)
        u, v = np.abs(xx - cx) / (w / 2), np.abs(yy - cy) / (h / 2)
        m = [np.maximum(u, v) < 1, u ** 2 + v ** 2 < 1, u + v < 1][k]
        img[m] = 0.6 + 0.3 * rng.random()
        i, j = int(cy // STRIDE), int(cx // STRIDE)
        cls[:, i, j] = 0
        cls[k, i, j] = 1
        pos[0, i, j] = 1
        box[:, i, j] = [cx / STRIDE - j - 0.5, cy / STRIDE - i - 0.5, np.log(w / 8), np.log(h / 8)]
    return (img[None] - 0.25) / 0.25, cls, box, pos


def make(n, seed):
    rng = np.random.default_rng(seed)
    return [torch.from_numpy(np.stack(a).astype(np.float32)) for a in zip(*(draw(rng) for _ in range(n)))]

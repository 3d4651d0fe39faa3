import numpy as np
import torch


def cells(n, size, seed):
    """Bright cells and equally bright thin fibres on a noisy ground; the mask holds the cells only."""
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[:size, :size]
    img = 0.35 * rng.normal(size=(n, 1, size, size))
    mask = np.zeros((n, 1, size, size))
    for i in range(n):
        for _ in range(rng.integers(1, 4)):
            cx, cy = rng.uniform(3, size - 3, 2)
            a, b = rng.uniform(2, 4.5, 2)
            mask[i, 0] = np.maximum(mask[i, 0], ((xx - cx) / a) ** 2 + ((yy - cy) / b) ** 2 <= 1)
        lines = np.zeros((size, size))
        for _ in range(rng.integers(1, 4)):
            th, off = rng.uniform(0, np.pi), rng.uniform(-6, 6)
            d = np.cos(th) * (xx - size / 2) + np.sin(th) * (yy - size / 2) - off
            lines = np.maximum(lines, np.abs(d) < 0.8)
        img[i, 0] += np.maximum(mask[i, 0], lines)
    return torch.tensor(img, dtype=torch.float32), torch.tensor(mask, dtype=torch.float32)

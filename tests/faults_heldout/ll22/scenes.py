"""Microscope-like 32x32 scenes: bright round cells over an uneven background, with debris that is not a cell."""
import numpy as np
import torch


def scene(rng, difficulty):
    """difficulty 0..1: more noise, weaker contrast, more debris."""
    yy, xx = np.mgrid[0:32, 0:32].astype(np.float32)
    img = 0.3 + 0.15 * difficulty * np.sin(xx / rng.uniform(6, 12) + rng.uniform(0, 6)) * np.cos(yy / rng.uniform(6, 12))
    mask = np.zeros((32, 32), bool)
    for _ in range(rng.integers(1, 5)):
        cy, cx = rng.uniform(4, 28, 2)
        a, b = rng.uniform(2.5, 5.5), rng.uniform(2.5, 5.5)
        inside = ((yy - cy) / a) ** 2 + ((xx - cx) / b) ** 2 <= 1
        img = np.where(inside, img + rng.uniform(0.5, 0.7) - 0.25 * difficulty, img)
        mask |= inside
    for _ in range(rng.integers(0, 1 + int(round(4 * difficulty)))):
        y0, x0, horizontal = rng.integers(0, 26), rng.integers(0, 26), rng.random() < 0.5
        h, w = (1, rng.integers(4, 7)) if horizontal else (rng.integers(4, 7), 1)
        img[y0:y0 + h, x0:x0 + w] = np.where(mask[y0:y0 + h, x0:x0 + w], img[y0:y0 + h, x0:x0 + w], 0.9)
    img = img + rng.normal(0, 0.03 + 0.12 * difficulty, (32, 32))
    return img.astype(np.float32), mask.astype(np.float32)


def batch_of(n, rng, low, high):
    pairs = [scene(rng, rng.uniform(low, high)) for _ in range(n)]
    x = torch.from_numpy(np.stack([p[0] for p in pairs]))[:, None]
    y = torch.from_numpy(np.stack([p[1] for p in pairs]))[:, None]
    return (x - 0.45) / 0.25, y

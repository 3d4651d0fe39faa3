import numpy as np
import torch


def cell_images(n, size=40, seed=0):
    """Fluorescence-like blobs on an uneven background with their masks."""
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[0:size, 0:size]
    images = np.zeros((n, 1, size, size), np.float32)
    masks = np.zeros((n, 1, size, size), np.float32)
    for i in range(n):
        img = 0.3 * rng.random() + 0.3 * np.sin(xx / size * rng.uniform(0, 3)) * np.cos(yy / size * rng.uniform(0, 3))
        for _ in range(rng.integers(2, 6)):
            cx, cy = rng.uniform(6, size - 6, 2)
            a, b = rng.uniform(3, 7, 2)
            th = rng.uniform(0, np.pi)
            u = (xx - cx) * np.cos(th) + (yy - cy) * np.sin(th)
            v = -(xx - cx) * np.sin(th) + (yy - cy) * np.cos(th)
            d = (u / a) ** 2 + (v / b) ** 2
            masks[i, 0] = np.maximum(masks[i, 0], d < 1)
            img = img + rng.uniform(0.5, 1.0) * np.exp(-1.2 * d)
        images[i, 0] = img + rng.normal(0, 0.15, img.shape)
    return torch.from_numpy(images), torch.from_numpy(masks)

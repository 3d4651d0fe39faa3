"""Synthetic fluorescence crops: bright elliptic cells on an uneven, noisy background."""
import numpy as np
import torch

SIZE = 32


def make_crop(rng):
    yy, xx = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)
    gx, gy = rng.normal(0, 0.004, 2)
    image = 0.25 + gx * (xx - SIZE / 2) + gy * (yy - SIZE / 2)
    mask = np.zeros((SIZE, SIZE), np.float32)
    for _ in range(rng.integers(1, 5)):
        cx, cy = rng.uniform(4, SIZE - 4, 2)
        a, b = rng.uniform(2.5, 5.5, 2)
        th = rng.uniform(0, np.pi)
        u = (xx - cx) * np.cos(th) + (yy - cy) * np.sin(th)
        v = -(xx - cx) * np.sin(th) + (yy - cy) * np.cos(th)
        r = (u / a) ** 2 + (v / b) ** 2
        image = image + rng.uniform(0.25, 0.5) * np.clip(1.3 - r, 0, 0.6)
        mask[r < 1] = 1.0
    for _ in range(rng.integers(0, 3)):  # thin debris, not a cell
        x0, y0, th = rng.uniform(0, SIZE), rng.uniform(0, SIZE), rng.uniform(0, np.pi)
        d = np.abs((xx - x0) * np.sin(th) - (yy - y0) * np.cos(th))
        image = image + 0.25 * np.exp(-(d / 0.6) ** 2)
    image = image + rng.normal(0, 0.06, image.shape)
    return image.astype(np.float32), mask


class CellCrops(torch.utils.data.Dataset):
    def __init__(self, count, seed, flip=False):
        rng = np.random.default_rng(seed)
        pairs = [make_crop(rng) for _ in range(count)]
        self.images = torch.from_numpy(np.stack([p[0] for p in pairs])).unsqueeze(1)
        self.masks = torch.from_numpy(np.stack([p[1] for p in pairs])).unsqueeze(1)
        self.flip = flip

    def normalise(self, mean, std):
        self.images = (self.images - mean) / std
        return self

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image, mask = self.images[i], self.masks[i]
        if self.flip:
            for axis in (1, 2):
                if torch.rand(()) < 0.5:
                    image, mask = image.flip(axis), mask.flip(axis)
        return image, mask

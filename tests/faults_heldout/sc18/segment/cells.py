import numpy as np
import torch
from torch.utils.data import Dataset


def draw(rng, size):
    yy, xx = np.mgrid[0:size, 0:size]
    image = 0.25 + 0.1 * np.sin(xx / rng.uniform(5, 12) + rng.uniform(0, 6))
    mask = np.zeros((size, size), dtype=bool)
    for _ in range(rng.integers(2, 6)):
        cx, cy = rng.uniform(4, size - 4, 2)
        a, b = rng.uniform(2.5, 6, 2)
        phi = rng.uniform(0, np.pi)
        u = (xx - cx) * np.cos(phi) + (yy - cy) * np.sin(phi)
        v = -(xx - cx) * np.sin(phi) + (yy - cy) * np.cos(phi)
        inside = (u / a) ** 2 + (v / b) ** 2 < 1
        image = np.where(inside, rng.uniform(0.5, 0.8), image)
        mask |= inside
    image = image + rng.normal(0, 0.12, image.shape)
    return image.astype(np.float32), mask.astype(np.float32)


class CellImages(Dataset):
    def __init__(self, n, seed, size=32, augment=False):
        rng = np.random.default_rng(seed)
        samples = [draw(rng, size) for _ in range(n)]
        self.images = torch.from_numpy(np.stack([s[0] for s in samples]))[:, None]
        self.images = (self.images - 0.35) / 0.22
        self.masks = torch.from_numpy(np.stack([s[1] for s in samples]))[:, None]
        self.augment = augment

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        x, y = self.images[i], self.masks[i]
        if self.augment:
            k = int(torch.randint(0, 4, ()))
            x, y = torch.rot90(x, k, (1, 2)), torch.rot90(y, k, (1, 2))
            if torch.rand(()) < 0.5:
                x, y = x.flip(2), y.flip(2)
        return x, y

import numpy as np
import torch
from torch.utils.data import Dataset


class Blobs(Dataset):
    """Noisy 24x24 scenes with one to three bright ellipses; target is their mask."""

    def __init__(self, n, seed, size=24):
        rng = np.random.default_rng(seed)
        yy, xx = np.mgrid[:size, :size]
        self.img = np.zeros((n, 1, size, size), dtype=np.float32)
        self.mask = np.zeros_like(self.img)
        for k in range(n):
            for _ in range(rng.integers(1, 4)):
                cy, cx = rng.uniform(4, size - 4, 2)
                ry, rx = rng.uniform(2, 5, 2)
                self.mask[k, 0][((yy - cy) / ry) ** 2 + ((xx - cx) / rx) ** 2 <= 1] = 1
            shade = rng.uniform(-0.3, 0.3) * (xx / size - 0.5)
            self.img[k, 0] = self.mask[k, 0] * rng.uniform(0.7, 1.2) + shade + rng.normal(0, 0.35, (size, size))
        self.img = (self.img - 0.2) / 0.5

    def __len__(self):
        return len(self.img)

    def __getitem__(self, i):
        return torch.from_numpy(self.img[i]), torch.from_numpy(self.mask[i])

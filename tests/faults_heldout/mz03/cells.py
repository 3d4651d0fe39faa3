import numpy as np
import torch
from torch.utils.data import Dataset


class CellImages(Dataset):
    """Fluorescence-like crops: a few bright nuclei on an uneven background."""

    def __init__(self, n, size, seed):
        rng = np.random.default_rng(seed)
        yy, xx = np.mgrid[:size, :size].astype(np.float32)
        self.images, self.masks = [], []
        for _ in range(n):
            g = rng.normal(0, 1, 2) * 0.15
            img = 0.35 + g[0] * (xx / size - 0.5) + g[1] * (yy / size - 0.5)
            mask = np.zeros((size, size), dtype=np.float32)
            for _ in range(rng.integers(1, 6)):
                cx, cy = rng.uniform(4, size - 4, 2)
                a, b = rng.uniform(2.5, 5.5, 2)
                th = rng.uniform(0, np.pi)
                u = (xx - cx) * np.cos(th) + (yy - cy) * np.sin(th)
                v = -(xx - cx) * np.sin(th) + (yy - cy) * np.cos(th)
                r = (u / a) ** 2 + (v / b) ** 2
                img = img + rng.uniform(0.25, 0.5) / (1 + np.exp(np.minimum(6 * (r - 1), 50)))
                mask[r <= 1] = 1
            img = img + rng.normal(0, 0.10, img.shape)
            self.images.append(img.astype(np.float32))
            self.masks.append(mask)
        self.images = np.stack(self.images)
        self.masks = np.stack(self.masks)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        img = self.images[i]
        img = (img - img.mean()) / (img.std() + 1e-6)
        return torch.from_numpy(img)[None], torch.from_numpy(self.masks[i])[None]

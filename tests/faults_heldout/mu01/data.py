import numpy as np
import torch
from torch.utils.data import Dataset


def draw_scene(rng, size):
    yy, xx = np.mgrid[0:size, 0:size]
    img = rng.normal(0.35, 0.06, (size, size)) + 0.15 * xx / size
    mask = np.zeros((size, size), dtype=np.int64)
    for _ in range(rng.integers(1, 4)):
        cy, cx = rng.uniform(6, size - 6, 2)
        a, b = rng.uniform(3, 7, 2)
        t = rng.uniform(0, np.pi)
        u = (xx - cx) * np.cos(t) + (yy - cy) * np.sin(t)
        v = -(xx - cx) * np.sin(t) + (yy - cy) * np.cos(t)
        inside = (u / a) ** 2 + (v / b) ** 2 < 1
        img[inside] += rng.uniform(0.2, 0.4)
        mask[inside] = 1
    # thin bright scratches that are not cells
    for _ in range(2):
        r = rng.integers(0, size)
        img[r, :] += 0.25
    return img.astype(np.float32), mask


class CellDataset(Dataset):
    def __init__(self, n, seed, size=32, augment=False):
        rng = np.random.default_rng(seed)
        scenes = [draw_scene(rng, size) for _ in range(n)]
        self.images = torch.from_numpy(np.stack([s[0] for s in scenes]))[:, None]
        self.masks = torch.from_numpy(np.stack([s[1] for s in scenes])).float()[:, None]
        self.images = (self.images - 0.5) / 0.2
        self.augment = augment

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        x, y = self.images[i], self.masks[i]
        if self.augment and torch.rand(()) < 0.5:
            x, y = x.flip(-1), y.flip(-1)
        if self.augment and torch.rand(()) < 0.5:
            x, y = x.flip(-2), y.flip(-2)
        return x, y

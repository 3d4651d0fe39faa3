import numpy as np
import torch
from torch.utils.data import Dataset


class Blobs(Dataset):
    def __init__(self, n, seed, size=24):
        rng = np.random.default_rng(seed)
        yy, xx = np.mgrid[:size, :size]
        imgs, masks = [], []
        for _ in range(n):
            m = np.zeros((size, size), bool)
            for _ in range(rng.integers(1, 4)):
                cy, cx = rng.uniform(4, size - 4, 2)
                a, b = rng.uniform(2.5, 5, 2)
                m |= ((yy - cy) / a) ** 2 + ((xx - cx) / b) ** 2 < 1
            im = m * .8 + rng.normal(0, .45, m.shape) + .3 * xx / size
            imgs.append(im)
            masks.append(m)
        self.x = torch.tensor(np.array(imgs), dtype=torch.float32)[:, None]
        self.x = (self.x - .35) / .6
        self.m = torch.tensor(np.array(masks), dtype=torch.float32)[:, None]

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.m[i]

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Shapes(Dataset):
    """discs, squares, crosses and rings on a noisy 20x20 canvas"""

    def __init__(self, n, noise, seed):
        rng = np.random.default_rng(seed)
        self.y = rng.integers(0, 4, n)
        self.x = np.stack([self.draw(rng, c, noise) for c in self.y]).astype(np.float32)

    @staticmethod
    def draw(rng, cls, noise, size=20):
        g = np.mgrid[0:size, 0:size]
        cy, cx = rng.uniform(6, size - 6, 2)
        r = rng.uniform(3.5, 5.5)
        dy, dx = g[0] - cy, g[1] - cx
        d = np.sqrt(dy ** 2 + dx ** 2)
        if cls == 0:
            m = d < r
        elif cls == 1:
            m = np.maximum(abs(dy), abs(dx)) < r * 0.9
        elif cls == 2:
            m = (np.minimum(abs(dy), abs(dx)) < 1.2) & (np.maximum(abs(dy), abs(dx)) < r)
        else:
            m = (d < r) & (d > r - 2)
        return m * rng.uniform(0.6, 1.2) + rng.normal(0, noise, (size, size)) - 0.1

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return torch.from_numpy(self.x[i])[None], int(self.y[i])


def make_loaders(c):
    tr = Shapes(c["n_train"], c["noise"], 100)
    va = Shapes(c["n_val"], c["noise"], 101)
    return (DataLoader(tr, batch_size=c["batch_size"], shuffle=True, drop_last=True),
            DataLoader(va, batch_size=256))

import numpy as np
import torch
from sklearn.datasets import load_digits


def glyphs():
    return torch.tensor(load_digits().images / 16.0, dtype=torch.float32).unsqueeze(1)


class PairStream:
    """Iterates over (left, right, same) in a fresh order on each pass."""

    def __init__(self, listing, bank, batch, gen=None):
        arr = np.genfromtxt(listing, delimiter=" ", dtype=np.int64)
        self.left, self.right, self.same = torch.from_numpy(arr).T
        self.bank, self.batch, self.gen = bank, batch, gen

    def __len__(self):
        return len(self.same)

    def __iter__(self):
        n = len(self)
        order = torch.arange(n) if self.gen is None else torch.randperm(n, generator=self.gen)
        for k in order.split(self.batch):
            yield self.bank[self.left[k]], self.bank[self.right[k]], self.same[k].float()

import numpy as np
import torch
from sklearn.datasets import load_digits

UNLABELLED = -1


def load(n_labelled_per_class, seed):
    rng = np.random.default_rng(seed)
    x, y = load_digits(return_X_y=True)
    x = (x.astype(np.float32) / 16.0).reshape(-1, 1, 8, 8)
    order = rng.permutation(len(y))
    val, train = order[:400], order[400:]
    masked = np.full(len(train), UNLABELLED)
    for c in range(10):
        where = np.flatnonzero(y[train] == c)[:n_labelled_per_class]
        masked[where] = c
    to = torch.from_numpy
    return (to(x[train]), to(masked)), (to(x[val]), to(y[val]))


class MixedBatches:
    """Every batch: `n_lab` labelled images (drawn with replacement) and `n_unl` unlabelled ones."""

    def __init__(self, y, n_lab, n_unl, gen):
        self.lab = (y != UNLABELLED).nonzero().squeeze(1)
        self.unl = (y == UNLABELLED).nonzero().squeeze(1)
        self.n_lab, self.n_unl, self.gen = n_lab, n_unl, gen

    def __iter__(self):
        perm = self.unl[torch.randperm(len(self.unl), generator=self.gen)]
        for k in range(0, len(perm) - self.n_unl + 1, self.n_unl):
            pick = self.lab[torch.randint(len(self.lab), (self.n_lab,), generator=self.gen)]
            yield torch.cat([pick, perm[k:k + self.n_unl]])


def jitter(x, gen):
    """One-pixel shifts and a little noise."""
    dx, dy = torch.randint(-1, 2, (2,), generator=gen).tolist()
    x = torch.nn.functional.pad(x, (1, 1, 1, 1))[:, :, 1 + dy:9 + dy, 1 + dx:9 + dx]
    return x + 0.05 * torch.randn(x.shape, generator=gen)

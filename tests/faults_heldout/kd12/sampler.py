import numpy as np
from torch.utils.data import Sampler


class WalkerBatches(Sampler):
    """Batches of P walkers with K windows each; every walker appears once per pass."""

    def __init__(self, walkers, p, k, passes, seed):
        self.by = {w: np.flatnonzero(walkers == w) for w in np.unique(walkers)}
        self.p, self.k, self.passes = p, k, passes
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return self.passes * (len(self.by) // self.p)

    def __iter__(self):
        for _ in range(self.passes):
            ws = self.rng.permutation(list(self.by))
            for j in range(0, len(ws) - self.p + 1, self.p):
                yield np.concatenate([self.rng.choice(self.by[w], self.k, replace=False) for w in ws[j:j + self.p]]).tolist()

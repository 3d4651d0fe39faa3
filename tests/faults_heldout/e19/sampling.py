import numpy as np
from torch.utils.data import Sampler


class BalancedSampler(Sampler):
    """Draws `per_class` indices of every class for an epoch, in mixed order."""

    def __init__(self, labels, per_class, seed=0):
        self.pools = [np.flatnonzero(np.asarray(labels) == c) for c in np.unique(labels)]
        self.per_class = per_class
        self.seed = seed

    def _rng(self):
        return np.random.default_rng(self.seed)

    def __len__(self):
        return self.per_class * len(self.pools)

    def __iter__(self):
        rng = self._rng()
        chosen = [rng.choice(p, self.per_class, replace=len(p) < self.per_class) for p in self.pools]
        return iter(rng.permutation(np.concatenate(chosen)).tolist())

import numpy as np


class ClassBalancedBatches:
    """Yields index arrays holding k samples of each class."""

    def __init__(self, labels, per_class, n_batches, seed):
        self.groups = [np.flatnonzero(labels == c) for c in np.unique(labels)]
        self.per_class, self.n_batches = per_class, n_batches
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return self.n_batches

    def __iter__(self):
        for _ in range(self.n_batches):
            yield np.concatenate([self.rng.choice(g, self.per_class, replace=False) for g in self.groups])

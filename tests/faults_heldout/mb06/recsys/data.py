import numpy as np
import torch


class Plays:
    """Play log; each listener's last two tracks are for test and validation."""

    def __init__(self, path):
        log = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.int64)
        log = log[np.argsort(log[:, 2], kind="stable")]
        self.n_users = int(log[:, 0].max()) + 1
        self.n_items = int(log[:, 1].max()) + 1
        train, self.val, self.test = [], {}, {}
        for u in range(self.n_users):
            items = log[log[:, 0] == u, 1].tolist()
            self.test[u], self.val[u] = items[-1], items[-2]
            train += [(u, i) for i in items[:-2]]
        self.train = torch.tensor(train)
        self.seen = torch.zeros(self.n_users, self.n_items, dtype=torch.bool)
        self.seen[self.train[:, 0], self.train[:, 1]] = True

    def negatives(self, users):
        """One unplayed track per row, drawn again where the draw hit a played one."""
        neg = torch.randint(self.n_items, users.shape)
        bad = self.seen[users, neg]
        while bad.any():
            neg[bad] = torch.randint(self.n_items, (int(bad.sum()),))
            bad = self.seen[users, neg]
        return neg

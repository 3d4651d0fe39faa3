"""Implicit feedback (who played what) with a latent taste structure."""
import numpy as np


def play_matrix(n_users, n_items, per_user, seed):
    rng = np.random.default_rng(seed)
    taste = rng.normal(0, 1, (n_users, 5))
    genre = rng.normal(0, 1, (n_items, 5))
    popular = rng.normal(0, 0.6, n_items)
    score = 1.4 * taste @ genre.T + popular
    plays = []
    for u in range(n_users):
        gumbel = rng.gumbel(0, 1, n_items)
        plays.append(rng.permutation(np.argsort(-(score[u] + gumbel))[:per_user]))
    return np.stack(plays)


def leave_two_out(plays):
    """Last play for the test, the one before for validation."""
    return plays[:, :-2], plays[:, -2], plays[:, -1]


class PairStream:
    """(user, played item, item not played) triples."""

    def __init__(self, history, n_items, batch, seed):
        n_users, per_user = history.shape
        self.users = np.repeat(np.arange(n_users), per_user)
        self.items = history.reshape(-1)
        self.known = np.zeros((n_users, n_items), dtype=bool)
        self.known[self.users, self.items] = True
        self.n_items, self.batch = n_items, batch
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return -(-len(self.users) // self.batch)

    def __iter__(self):
        order = self.rng.permutation(len(self.users))
        for i in range(0, len(order), self.batch):
            rows = order[i:i + self.batch]
            u, pos = self.users[rows], self.items[rows]
            neg = self.rng.integers(0, self.n_items, len(rows))
            clash = self.known[u, neg]
            while clash.any():
                neg[clash] = self.rng.integers(0, self.n_items, clash.sum())
                clash = self.known[u, neg]
            yield u, pos, neg

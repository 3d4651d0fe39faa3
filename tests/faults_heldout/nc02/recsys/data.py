import csv

import numpy as np
import torch


class Interactions:
    """Implicit feedback, split leave-last-out by time stamp."""

    def __init__(self, path):
        history = {}
        with open(path) as fh:
            for row in csv.DictReader(fh):
                history.setdefault(int(row["user"]), []).append((int(row["t"]), int(row["item"])))
        self.n_users = max(history) + 1
        self.n_items = max(i for h in history.values() for _, i in h) + 1
        self.seen = np.zeros((self.n_users, self.n_items), dtype=bool)
        pairs, held_out = [], np.full(self.n_users, -1)
        for user, events in history.items():
            events.sort()
            held_out[user] = events[-1][1]
            for _, item in events[:-1]:
                pairs.append((user, item))
                self.seen[user, item] = True
        self.pairs = np.array(pairs)
        self.held_out = torch.from_numpy(held_out)


class NegativeSampler:
    def __init__(self, data, batch_size, negatives, seed):
        self.data, self.batch_size, self.negatives = data, batch_size, negatives
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return (len(self.data.pairs) + self.batch_size - 1) // self.batch_size

    def __iter__(self):
        order = self.rng.permutation(len(self.data.pairs))
        for start in range(0, len(order), self.batch_size):
            chunk = self.data.pairs[order[start:start + self.batch_size]]
            users, pos = chunk[:, 0], chunk[:, 1:]
            neg = self.rng.integers(0, self.data.n_items, (len(chunk), self.negatives))
            clash = self.data.seen[users[:, None], neg]
            while clash.any():
                neg[clash] = self.rng.integers(0, self.data.n_items, clash.sum())
                clash = self.data.seen[users[:, None], neg]
            yield torch.from_numpy(users), torch.from_numpy(np.concatenate([pos, neg], axis=1))

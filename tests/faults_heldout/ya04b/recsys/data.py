import numpy as np
import torch


class Interactions:
    """Explicit ratings of one week with a random hold-out."""

    def __init__(self, path, seed, holdout=0.12):
        raw = np.load(path)
        self.n_users = int(raw["n_users"])
        self.n_items = int(raw["n_items"])
        user, item, rating = (torch.from_numpy(raw[k]) for k in ("user", "item", "rating"))
        generator = torch.Generator().manual_seed(seed)
        order = torch.randperm(len(user), generator=generator)
        n_hold = int(len(order) * holdout)
        self.train = tuple(t[order[n_hold:]] for t in (user.long(), item.long(), rating.float()))
        self.valid = tuple(t[order[:n_hold]] for t in (user.long(), item.long(), rating.float()))

    def batches(self, size):
        order = torch.randperm(len(self.train[0]))
        for chunk in order.split(size):
            yield tuple(t[chunk] for t in self.train)

    def steps_per_epoch(self, size):
        return -(-len(self.train[0]) // size)

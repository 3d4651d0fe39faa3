"""Implicit feedback: which user played which track, newest plays held out."""
import numpy as np
import torch


class Events:
    def __init__(self, path, holdout):
        z = np.load(path)
        self.n_users, self.n_items = int(z["n_users"]), int(z["n_items"])
        user, item, when = (z[k].astype("int64") for k in ("user", "item", "when"))
        order = np.lexsort((when, user))
        user, item = user[order], item[order]
        last = np.concatenate([np.arange(n)[::-1] for n in np.bincount(user, minlength=self.n_users)])
        held = last < holdout
        self.train = torch.from_numpy(np.stack([user[~held], item[~held]], 1))
        self.test = torch.from_numpy(np.stack([user[held], item[held]], 1))
        self.seen = torch.zeros(self.n_users, self.n_items, dtype=torch.bool)
        self.seen[self.train[:, 0], self.train[:, 1]] = True

    def negatives(self, users, k, g):
        """Uniform negatives; a second draw replaces those the user has in the training part."""
        neg = torch.randint(self.n_items, (len(users), k), generator=g)
        hit = self.seen[users.unsqueeze(1), neg]
        return torch.where(hit, torch.randint(self.n_items, neg.shape, generator=g), neg)

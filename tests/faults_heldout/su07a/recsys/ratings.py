import csv
from typing import NamedTuple

import torch


class Part(NamedTuple):
    user: torch.Tensor
    item: torch.Tensor
    rating: torch.Tensor

    def batches(self, size):
        for idx in torch.randperm(len(self.rating)).split(size):
            yield self.user[idx], self.item[idx], self.rating[idx]


def load(path, val_share, test_share, seed):
    """Random split of the ratings, returns (train, val, test, n_users, n_items)."""
    with open(path, newline="") as fh:
        rows = [(int(r["user"]), int(r["item"]), float(r["rating"])) for r in csv.DictReader(fh)]
    user, item, rating = (torch.tensor(c) for c in zip(*rows))
    order = torch.randperm(len(rows), generator=torch.Generator().manual_seed(seed))
    n_val, n_test = int(val_share * len(rows)), int(test_share * len(rows))
    cuts = order[:n_val], order[n_val : n_val + n_test], order[n_val + n_test :]
    val, test, train = (Part(user[c], item[c], rating[c]) for c in cuts)
    return train, val, test, int(user.max()) + 1, int(item.max()) + 1

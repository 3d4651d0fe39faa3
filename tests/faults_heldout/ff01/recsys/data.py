from pathlib import Path

import numpy as np
import torch


def load_ratings(root, holdout=0.15, seed=3):
    root = Path(root)
    table = np.loadtxt(root / "ratings.csv", delimiter=",", skiprows=1)
    genres = np.loadtxt(root / "genres.csv", delimiter=",")
    users = torch.from_numpy(table[:, 0]).long()
    items = torch.from_numpy(table[:, 1]).long()
    stars = torch.from_numpy(table[:, 2]).float()

    order = torch.randperm(len(stars), generator=torch.Generator().manual_seed(seed))
    cut = int(len(order) * (1 - holdout))
    pick = lambda ix: (users[ix], items[ix], stars[ix])
    return pick(order[:cut]), pick(order[cut:]), torch.from_numpy(genres).float()


def minibatches(split, size, shuffle=True):
    n = len(split[0])
    order = torch.randperm(n) if shuffle else torch.arange(n)
    for s in range(0, n, size):
        ix = order[s:s + size]
        yield tuple(t[ix] for t in split)

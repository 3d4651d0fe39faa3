import csv
from pathlib import Path

import numpy as np
import torch


def _column_map(path, key, value):
    with open(path) as fh:
        return {int(r[key]): int(r[value]) for r in csv.DictReader(fh)}


def load(folder, holdout, seed):
    folder = Path(folder)
    table = np.loadtxt(folder / "ratings.csv", delimiter=",", skiprows=1)
    ages = _column_map(folder / "users.csv", "user", "age_band")
    genres = _column_map(folder / "items.csv", "item", "genre")
    u = torch.as_tensor(table[:, 0].astype(np.int64))
    i = torch.as_tensor(table[:, 1].astype(np.int64))
    y = torch.as_tensor(table[:, 2], dtype=torch.float32)
    age = torch.tensor([ages[int(k)] for k in u])
    genre = torch.tensor([genres[int(k)] for k in i])
    perm = torch.randperm(len(y), generator=torch.Generator().manual_seed(seed))
    cut = int(len(y) * (1 - holdout))
    pick = lambda idx: tuple(t[idx] for t in (u, i, age, genre, y))
    sizes = dict(n_users=len(ages), n_items=len(genres),
                 n_ages=max(ages.values()) + 1, n_genres=max(genres.values()) + 1)
    return pick(perm[:cut]), pick(perm[cut:]), sizes

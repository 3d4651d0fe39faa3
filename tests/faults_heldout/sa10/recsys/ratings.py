import csv

import torch


def read_ratings(path, val_fraction, seed):
    users, items, values = [], [], []
    with open(path, newline="") as fh:
        for row in csv.DictReader(fh):
            users.append(int(row["user"]))
            items.append(int(row["item"]))
            values.append(float(row["rating"]))
    u, i, r = torch.tensor(users), torch.tensor(items), torch.tensor(values)
    perm = torch.randperm(len(r), generator=torch.Generator().manual_seed(seed))
    n_val = int(val_fraction * len(r))
    val, train = perm[:n_val], perm[n_val:]
    return (u[train], i[train], r[train]), (u[val], i[val], r[val]), int(u.max()) + 1, int(i.max()) + 1

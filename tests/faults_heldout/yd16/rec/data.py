import csv

import torch


def read_clicks(path, held_out=4):
    """The last `held_out` visits of every user are kept for the test."""
    rows = []
    with open(path, newline="") as fh:
        for r in csv.DictReader(fh):
            rows.append((int(r["user"]), int(r["item"]), int(r["visit"])))
    last = {}
    for u, _, v in rows:
        last[u] = max(last.get(u, 0), v)
    train = torch.tensor([(u, i) for u, i, v in rows if v <= last[u] - held_out])
    test = torch.tensor([(u, i) for u, i, v in rows if v > last[u] - held_out])
    n_users, n_items = int(max(r[0] for r in rows)) + 1, int(max(r[1] for r in rows)) + 1
    return train, test, n_users, n_items


def seen_mask(pairs, n_users, n_items):
    m = torch.zeros(n_users, n_items, dtype=torch.bool)
    m[pairs[:, 0], pairs[:, 1]] = True
    return m

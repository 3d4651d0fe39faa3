"""Turns the raw event log into one row of behaviour features per account."""
import csv

import numpy as np

N_KINDS = 4
HORIZON = 90


def read_accounts(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    account = np.array([int(r["account"]) for r in rows])
    renewed = np.array([int(r["renewed"]) for r in rows], dtype=np.float32)
    return account, renewed


def behaviour(events):
    ids, row = np.unique(events["account"], return_inverse=True)
    n = len(ids)
    day = events["day"].astype(np.float64)
    cents = events["cents"].astype(np.float64)

    count = np.bincount(row, minlength=n)
    by_kind = np.stack([np.bincount(row[events["kind"] == k], minlength=n) for k in range(N_KINDS)], axis=1)
    spent = np.bincount(row, weights=cents, minlength=n)
    last = np.zeros(n)
    np.maximum.at(last, row, day)
    mean_day = np.bincount(row, weights=day, minlength=n) / count
    recent = np.bincount(row[day >= HORIZON * 2 / 3], minlength=n)

    table = np.column_stack([
        np.log1p(count),
        by_kind / count[:, None],
        np.log1p(spent / count),
        (HORIZON - last) / HORIZON,
        mean_day / HORIZON,
        recent / count,
    ])
    return ids, table.astype(np.float32)


def load(events_path, accounts_path):
    with np.load(events_path) as f:
        events = {k: f[k] for k in f.files}
    account, renewed = read_accounts(accounts_path)
    known = np.isin(events["account"], account)
    events = {k: v[known] for k, v in events.items()}
    ids, table = behaviour(events)
    if len(ids) != len(account):
        raise ValueError(f"{len(account) - len(ids)} accounts without any event")
    return table, renewed

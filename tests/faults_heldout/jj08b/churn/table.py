import csv

import numpy as np
import torch

NUMERIC = ["tenure", "support_calls", "usage_gb", "bill", "dropped"]
CATEGORY = {"contract": ["monthly", "yearly", "two_year"], "internet": ["fiber", "dsl", "none"]}


def read(path):
    with open(path) as fh:
        rows = list(csv.DictReader(fh))
    num = np.array([[float(r[c]) for c in NUMERIC] for r in rows], dtype=np.float32)
    cat = np.array([[float(r[c] == v) for c, vals in CATEGORY.items() for v in vals] for r in rows], dtype=np.float32)
    y = np.array([float(r["churn"]) for r in rows], dtype=np.float32)
    return num, cat, y


def split(path, seed):
    num, cat, y = read(path)
    order = np.random.default_rng(seed).permutation(len(y))
    a, b = int(0.6 * len(y)), int(0.8 * len(y))
    fit = order[:a]
    num = (num - num[fit].mean(0)) / num[fit].std(0)
    x = np.concatenate([num, cat], 1)
    return {k: (torch.from_numpy(x[i]), torch.from_numpy(y[i]))
            for k, i in (("train", fit), ("val", order[a:b]), ("test", order[b:]))}

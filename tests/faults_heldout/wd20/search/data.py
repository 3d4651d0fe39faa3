import csv
import math

import torch


def load(path, target):
    with open(path) as fh:
        rows = list(csv.DictReader(fh))
    for r in rows:
        r["log_age"] = math.log(float(r["age_days"]))
    names = [c for c in rows[0] if c != target]
    x = torch.tensor([[float(r[c]) for c in names] for r in rows])
    y = torch.tensor([float(r[target]) for r in rows])
    return x, y, names


def fold_indices(n, k, gen):
    chunks = torch.randperm(n, generator=gen).chunk(k)
    for i in range(k):
        yield torch.cat([c for j, c in enumerate(chunks) if j != i]), chunks[i]

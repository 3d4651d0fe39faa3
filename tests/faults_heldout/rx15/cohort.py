import csv

import torch


def read_cohort(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    names = [k for k in rows[0] if k not in ("months", "event")]
    x = torch.tensor([[float(r[k]) for k in names] for r in rows], dtype=torch.float64)
    months = torch.tensor([float(r["months"]) for r in rows], dtype=torch.float64)
    event = torch.tensor([r["event"] == "1" for r in rows])
    return names, x, months, event


def folds(n, k, gen):
    order = torch.randperm(n, generator=gen)
    for part in order.chunk(k):
        keep = torch.ones(n, dtype=torch.bool)
        keep[part] = False
        yield keep.nonzero().squeeze(1), part

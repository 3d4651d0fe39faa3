import csv
import math

import torch

CATEGORICAL = ("district", "street", "kind")


def load(path, seed, val_fraction=0.2):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    vocab = {c: {v: k for k, v in enumerate(sorted({r[c] for r in rows}))} for c in CATEGORICAL}
    cat = torch.tensor([[vocab[c][r[c]] for c in CATEGORICAL] for r in rows])
    num = torch.tensor([[math.log(float(r["area"])), (float(r["year"]) - 1960) / 35] for r in rows])
    y = torch.tensor([math.log(float(r["price"])) for r in rows])
    perm = torch.randperm(len(rows), generator=torch.Generator().manual_seed(seed))
    k = int(len(rows) * val_fraction)
    va, tr = perm[:k], perm[k:]
    num = (num - num[tr].mean(0)) / num[tr].std(0)
    y = (y - y[tr].mean()) / y[tr].std()
    sizes = {c: len(v) for c, v in vocab.items()}
    return (cat[tr], num[tr], y[tr]), (cat[va], num[va], y[va]), sizes

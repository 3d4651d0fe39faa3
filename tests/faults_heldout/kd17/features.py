import csv
import math
from dataclasses import dataclass

import torch

CAT = ("category", "country")


@dataclass
class Table:
    num: torch.Tensor
    cat: torch.Tensor
    y: torch.Tensor

    def take(self, i):
        return Table(self.num[i], self.cat[i], self.y[i])


def read(path):
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    levels = {c: sorted({r[c] for r in rows}) for c in CAT}
    num, cat, y = [], [], []
    for r in rows:
        h = int(r["hour"]) / 24 * 2 * math.pi
        num.append([math.log(float(r["amount"])), math.sin(h), math.cos(h), math.log1p(float(r["minutes_since_last"])),
                    math.log1p(float(r["account_days"])), float(r["card_present"]), float(r["failed_pins"])])
        cat.append([levels[c].index(r[c]) for c in CAT])
        y.append(float(r["chargeback"]))
    return Table(torch.tensor(num), torch.tensor(cat), torch.tensor(y)), [len(levels[c]) for c in CAT]


def stratified(y, parts, seed):
    """Index lists with the same share of positives."""
    g = torch.Generator().manual_seed(seed)
    out = [[] for _ in parts]
    for v in (0.0, 1.0):
        idx = torch.nonzero(y == v)[:, 0]
        idx = idx[torch.randperm(len(idx), generator=g)]
        cuts = [round(len(idx) * sum(parts[:k])) for k in range(len(parts) + 1)]
        for k in range(len(parts)):
            out[k].append(idx[cuts[k]:cuts[k + 1]])
    return [torch.cat(o) for o in out]

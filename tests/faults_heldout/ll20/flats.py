import csv
from dataclasses import dataclass
from pathlib import Path

import torch

SEGMENTS = ("old_town", "suburb", "riverside", "new_build")


@dataclass
class Part:
    x: torch.Tensor
    log_price: torch.Tensor      # standardised
    price: torch.Tensor          # euro
    sold: torch.Tensor


@dataclass
class Book:
    train: Part
    val: Part
    test: Part
    mean: float
    std: float

    def to_euro(self, z):
        return (z * self.std + self.mean).exp()


def load(seed):
    rows = list(csv.DictReader((Path(__file__).parent / "flats.csv").open()))
    num = torch.tensor([[float(r["area"]), float(r["rooms"]), float(r["floor"]), float(r["year"]), float(r["km_centre"])]
                        for r in rows])
    num[:, 0], num[:, 4] = num[:, 0].log(), (num[:, 4] + 0.1).log()
    cat = torch.tensor([[float(r["segment"] == s) for s in SEGMENTS] + [float(r["lift"])] for r in rows])
    price = torch.tensor([float(r["price"]) for r in rows])
    sold = torch.tensor([float(r["sold_in_30d"]) for r in rows])
    order = torch.randperm(len(rows), generator=torch.Generator().manual_seed(seed))
    tr, va, te = order[:3600], order[3600:4200], order[4200:]
    mu, sd = num[tr].mean(0), num[tr].std(0)
    x = torch.cat([(num - mu) / sd, cat], 1)
    lp = price.log()
    m, s = lp[tr].mean().item(), lp[tr].std().item()
    part = lambda i: Part(x[i], (lp[i] - m) / s, price[i], sold[i])
    return Book(part(tr), part(va), part(te), m, s)

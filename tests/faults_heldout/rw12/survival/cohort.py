import csv
from typing import NamedTuple

import torch


class Cohort(NamedTuple):
    x: torch.Tensor
    months: torch.Tensor
    event: torch.Tensor

    def take(self, rows):
        return Cohort(*(t[rows] for t in self))

    @property
    def size(self):
        return self.months.numel()


def read_cohort(path, numeric, binary):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    columns = []
    for name in numeric:
        columns.append([float(r[name]) for r in rows])
    for name in binary:
        columns.append([float(r[name] in ("1", "M")) for r in rows])
    months = torch.tensor([float(r["months"]) for r in rows])
    event = torch.tensor([float(r["event"]) for r in rows])
    return Cohort(torch.tensor(columns).T.contiguous(), months, event)


class Standardiser:
    def __init__(self, x, n_numeric):
        self.mean = torch.zeros(x.shape[1])
        self.std = torch.ones(x.shape[1])
        self.mean[:n_numeric] = x[:, :n_numeric].mean(0)
        self.std[:n_numeric] = x[:, :n_numeric].std(0)

    def __call__(self, cohort):
        return cohort._replace(x=(cohort.x - self.mean) / self.std)

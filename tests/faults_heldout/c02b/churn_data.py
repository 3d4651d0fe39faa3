import csv
from dataclasses import dataclass

import torch

NUMERIC = ["tenure", "monthly_charge", "support_calls", "usage_gb", "age", "payment_delay"]
NUMERIC += [f"usage_m{k:02d}" for k in range(1, 15)]
CATEGORICAL = {
    "contract": ["month", "year", "two_year"],
    "payment": ["card", "transfer", "check", "wallet"],
    "internet": ["dsl", "fiber", "none"],
}


@dataclass
class Table:
    num: torch.Tensor
    cat: torch.Tensor
    y: torch.Tensor

    def __len__(self):
        return len(self.y)

    def take(self, idx):
        return self.num[idx], self.cat[idx], self.y[idx]


def read_table(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    num = torch.tensor([[float(r[c]) for c in NUMERIC] for r in rows])
    cat = torch.tensor([[levels.index(r[c]) for c, levels in CATEGORICAL.items()] for r in rows])
    y = torch.tensor([float(r["churned"]) for r in rows])
    return Table(num, cat, y)


class Standardizer:
    def fit(self, table):
        self.mu, self.sd = table.num.mean(0), table.num.std(0)
        return self

    def __call__(self, table):
        return Table((table.num - self.mu) / self.sd, table.cat, table.y)

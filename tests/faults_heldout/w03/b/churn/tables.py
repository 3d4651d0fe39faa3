"""Reads the prepared tables. Scaling is done upstream by the feature job; here we only parse."""
import csv

import torch

NUMERIC = ["tenure", "monthly_fee", "usage_gb", "support_calls", "late_days", "age"]
CATEGORICAL = {"plan": ["basic", "plus", "family", "business"], "region": ["n", "e", "s", "w", "c"]}


def read_table(path):
    num, cat, y = [], [], []
    with open(path, newline="") as fh:
        for row in csv.DictReader(fh):
            num.append([float(row[c]) for c in NUMERIC])
            cat.append([levels.index(row[c]) for c, levels in CATEGORICAL.items()])
            y.append(float(row["churned"]))
    return torch.tensor(num), torch.tensor(cat), torch.tensor(y)

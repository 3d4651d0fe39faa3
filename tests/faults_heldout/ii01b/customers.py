"""Reading of the customer exports (one CSV per branch)."""
import csv
import os

import numpy as np
import torch
from torch.utils.data import TensorDataset

NUMERIC = ["tenure_months", "monthly_fee", "support_calls", "late_payments", "data_gb"]
CONTRACTS = ["monthly", "one_year", "two_year"]
PAYMENTS = ["card", "transfer", "cheque"]


def encode_row(row):
    values = [float(row[c]) for c in NUMERIC]
    values += [1.0 if row["contract"] == c else 0.0 for c in CONTRACTS]
    values += [1.0 if row["payment"] == p else 0.0 for p in PAYMENTS]
    return values


def encode_target(row):
    return 1.0 if row["churned"] == "yes" else 0.0


def read_csv(path):
    feats, target = [], []
    with open(path, newline="") as fh:
        for row in csv.DictReader(fh):
            feats.append(encode_row(row))
            target.append(encode_target(row))
    return np.asarray(feats, dtype=np.float32), np.asarray(target, dtype=np.float32)


def load_tables(cfg):
    parts = [read_csv(os.path.join(cfg["data_dir"], name)) for name in cfg["sources"]]
    x = np.concatenate([p[0] for p in parts])
    y = np.concatenate([p[1] for p in parts])
    xv, yv = read_csv(os.path.join(cfg["data_dir"], cfg["holdout"]))

    k = len(NUMERIC)
    mean, std = x[:, :k].mean(0), x[:, :k].std(0) + 1e-6
    for block in (x, xv):
        block[:, :k] = (block[:, :k] - mean) / std
    train = TensorDataset(torch.from_numpy(x), torch.from_numpy(y))
    hold = TensorDataset(torch.from_numpy(xv), torch.from_numpy(yv))
    return train, hold

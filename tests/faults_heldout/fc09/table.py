import csv
from pathlib import Path

import numpy as np
import torch


def read_table(cfg, seed):
    with open(Path(__file__).parent / cfg["file"]) as f:
        rows = list(csv.DictReader(f))
    y = np.array([int(r["churned"]) for r in rows])
    numeric = ["age", "tenure", "fee", "calls", "usage", "late"]
    x = np.array([[float(r[c]) for c in numeric] for r in rows])
    contract = np.eye(3)[[int(r["contract"]) for r in rows]]
    perm = np.random.default_rng(seed).permutation(len(y))
    n_val = int(len(y) * cfg["valid_fraction"])
    va, tr = perm[:n_val], perm[n_val:]
    x = (x - x[tr].mean(0)) / x[tr].std(0)
    x = torch.tensor(np.hstack([x, contract]), dtype=torch.float32)
    y = torch.tensor(y, dtype=torch.float32)
    return (x[tr], y[tr]), (x[va], y[va])

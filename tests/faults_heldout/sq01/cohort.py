"""Reading the follow-up table and cutting it into train / validation / test."""
import csv
import os
import numpy as np
import torch

HERE = os.path.dirname(os.path.abspath(__file__))
LOG_COLUMNS = {"crp"}


def load(seed, val=0.15, test=0.2):
    with open(os.path.join(HERE, "cohort.csv")) as fh:
        rows = list(csv.DictReader(fh))
    names = [c for c in rows[0] if c not in ("days", "died")]
    x = np.array([[float(r[c]) for c in names] for r in rows])
    for j, c in enumerate(names):
        if c in LOG_COLUMNS:
            x[:, j] = np.log1p(x[:, j])
    days = np.array([int(r["days"]) for r in rows])
    died = np.array([int(r["died"]) for r in rows])

    order = np.random.default_rng(seed).permutation(len(rows))
    n_test, n_val = int(test * len(rows)), int(val * len(rows))
    idx = {"test": order[:n_test], "val": order[n_test:n_test + n_val], "train": order[n_test + n_val:]}
    mean, std = x[idx["train"]].mean(0), x[idx["train"]].std(0)
    out = {}
    for part, i in idx.items():
        out[part] = (torch.tensor((x[i] - mean) / std, dtype=torch.float32),
                     torch.tensor(days[i]), torch.tensor(died[i], dtype=torch.float32))
    return out, names

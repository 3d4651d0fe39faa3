import csv
from pathlib import Path

import numpy as np

DATA = Path(__file__).parent / "data"


def read_measurements():
    with open(DATA / "measurements.csv", newline="") as f:
        rows = list(csv.reader(f))
    header, body = rows[0][1:], rows[1:]
    x = np.array([[float(v) if v else np.nan for v in r[1:]] for r in body], dtype=np.float64)
    return header, x


def read_diagnosis():
    with open(DATA / "diagnosis.csv", newline="") as f:
        return np.array([1.0 if r["diagnosis"] == "M" else 0.0 for r in csv.DictReader(f)])


def complete_cases():
    """Samples with every measurement present."""
    _, x = read_measurements()
    y = read_diagnosis()
    x = x[~np.isnan(x).any(axis=1)]
    y = y[: len(x)]
    return x.astype(np.float32), y.astype(np.float32)


def split(x, y, test_share, seed):
    order = np.random.default_rng(seed).permutation(len(x))
    n_test = int(len(x) * test_share)
    te, tr = order[:n_test], order[n_test:]
    mean, std = x[tr].mean(0), x[tr].std(0)
    z = (x - mean) / std
    return (z[tr], y[tr]), (z[te], y[te])

import csv
from pathlib import Path

import numpy as np


def read_meter(name="meter.csv"):
    with open(Path(__file__).with_name(name)) as f:
        rows = list(csv.reader(f))
    head, body = rows[0], np.array(rows[1:], dtype=np.float64)
    return {h: body[:, j] for j, h in enumerate(head)}


def standardise(train, *others, max_cardinality=32):
    """Zero mean and unit variance for measured columns; columns with few distinct values are codes and stay as they are."""
    mu, sd = train.mean(0), train.std(0)
    for j in range(train.shape[1]):
        if len(np.unique(train[:, j])) <= max_cardinality:
            mu[j], sd[j] = 0.0, 1.0
    return [(a - mu) / sd for a in (train, *others)]

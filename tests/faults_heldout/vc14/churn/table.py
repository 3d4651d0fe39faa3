import csv
from pathlib import Path

import numpy as np

PLANS = ("basic", "family", "pro")


def read_customers(path: Path):
    with path.open() as fh:
        rows = list(csv.DictReader(fh))
    numeric = [c for c in rows[0] if c not in ("customer", "plan", "left")]
    values = np.array([[float(r[c]) for c in numeric] for r in rows], dtype=np.float32)
    plan = np.array([[float(r["plan"] == p) for p in PLANS] for r in rows], dtype=np.float32)
    left = np.array([int(r["left"]) for r in rows], dtype=np.int64)
    return values, plan, left


def oversample(index: np.ndarray, label: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Repeat rows of the smaller class until both classes are equally frequent."""
    groups = [index[label[index] == k] for k in (0, 1)]
    size = max(len(g) for g in groups)
    return np.concatenate([g if len(g) == size else rng.choice(g, size, replace=True) for g in groups])


def split(index: np.ndarray, share: float, rng: np.random.Generator):
    index = rng.permutation(index)
    cut = int(round(len(index) * (1 - share)))
    return index[:cut], index[cut:]

"""Writes scans.csv (one row per scan, in acquisition order) and annotations.json (scan id -> class)."""
import json

import numpy as np
from sklearn.datasets import load_digits

digits = load_digits()
rng = np.random.default_rng(11)
ids = rng.choice(np.arange(1, 6000), size=len(digits.target), replace=False)
rows = np.column_stack([ids, digits.data.astype(int)])
np.savetxt("scans.csv", rows, fmt="%d", delimiter=",")
json.dump({str(int(i)): int(t) for i, t in zip(ids, digits.target)}, open("annotations.json", "w"))

import csv

import numpy as np

NUMERIC = ["age_years", "vibration", "temp_c", "load_pct", "pressure_bar", "days_since_service"]
SITES = ["north", "south", "harbor", "mill"]
TARGET = "failed_30d"


def read_table(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    num = np.array([[float(r[c]) for c in NUMERIC] for r in rows], dtype=np.float32)
    num[:, NUMERIC.index("vibration")] = np.log(num[:, NUMERIC.index("vibration")])
    site = np.array([SITES.index(r["site"]) for r in rows])
    onehot = np.eye(len(SITES), dtype=np.float32)[site]
    y = np.array([float(r[TARGET]) for r in rows], dtype=np.float32)
    return num, onehot, y


class Standardizer:
    def fit(self, x):
        self.mean = x.mean(0)
        self.std = x.std(0)
        return self

    def __call__(self, x):
        return (x - self.mean) / self.std

"""Reading and encoding of the policy table."""
import csv

import numpy as np

CATEGORICAL = ["postcode", "brand", "fuel"]
NUMERIC = ["driver_age", "vehicle_age", "power_kw"]


def read_table(path):
    with open(path) as fh:
        rows = list(csv.DictReader(fh))
    return {k: np.array([float(r[k]) for r in rows]) for k in rows[0]}


class TableEncoder:
    """Codes become indices (0 is reserved for codes never seen), numbers become z-scores."""

    def fit(self, table, idx):
        self.vocab = {}
        for c in CATEGORICAL:
            codes = np.unique(table[c][idx].astype(int))
            self.vocab[c] = {int(v): i + 1 for i, v in enumerate(codes)}
        num = np.stack([table[c][idx] for c in NUMERIC], 1)
        self.mean, self.std = num.mean(0), num.std(0)
        return self

    def transform(self, table, idx):
        cat = np.stack([[self.vocab[c].get(int(v), 0) for v in table[c][idx]] for c in CATEGORICAL], 1)
        num = (np.stack([table[c][idx] for c in NUMERIC], 1) - self.mean) / self.std
        num = np.concatenate([num, num ** 2 - 1], 1)
        return cat.astype(np.int64), num.astype(np.float32)

    def sizes(self):
        return [len(self.vocab[c]) + 1 for c in CATEGORICAL]

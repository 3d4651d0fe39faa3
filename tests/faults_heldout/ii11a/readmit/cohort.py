import csv
import json
import os

import torch


class Cohort:
    """Discharge records. `features.json` lists the columns the model may use."""

    def __init__(self, root):
        self.root = root
        with open(os.path.join(root, "features.json")) as fh:
            spec = json.load(fh)
        self.numeric = spec["numeric"]
        self.categorical = spec["categorical"]
        self.outcome = spec["outcome"]
        self.mean = self.std = None

    def _rows(self, name):
        with open(os.path.join(self.root, name), newline="") as fh:
            return list(csv.DictReader(fh))

    def load(self, name):
        rows = self._rows(name)
        num = torch.tensor([[float(r[c]) for c in self.numeric] for r in rows])
        cat = torch.tensor([[int(r[c]) for c in self.categorical] for r in rows])
        y = torch.tensor([float(r[self.outcome]) for r in rows])
        if self.mean is None:
            self.mean, self.std = num.mean(0), num.std(0).clamp(min=1e-3)
        return (num - self.mean) / self.std, cat, y

    def cardinalities(self, *parts):
        return [int(max(p[1][:, j].max() for p in parts)) + 1 for j in range(len(self.categorical))]

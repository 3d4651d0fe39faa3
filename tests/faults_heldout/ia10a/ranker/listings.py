import csv
import json
from collections import defaultdict

import torch


class Scaler:
    def __init__(self, path):
        with open(path) as fh:
            spec = json.load(fh)
        self.columns = spec["columns"]
        self.mean = torch.tensor(spec["mean"])
        self.scale = torch.tensor(spec["scale"])

    def transform(self, x):
        return (x - self.mean) / self.scale


def read_queries(path, scaler):
    """One (features, grades) pair per query."""
    groups = defaultdict(list)
    with open(path, newline="") as fh:
        for row in csv.DictReader(fh):
            groups[row["query"]].append(([float(row[c]) for c in scaler.columns], float(row["grade"])))
    queries = []
    for docs in groups.values():
        feats, grades = zip(*docs)
        queries.append((scaler.transform(torch.tensor(feats)), torch.tensor(grades)))
    return queries

import csv
import os
import numpy as np
import torch
from torch.utils.data import TensorDataset

FEATURES = ["area", "glazing", "u_wall", "u_roof", "orientation", "shade", "airtight", "occupancy", "height"]


def buildings(seed, n_test=500):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "buildings.csv")) as fh:
        rows = list(csv.DictReader(fh))
    x = np.array([[float(r[c]) for c in FEATURES] for r in rows])
    loads = np.array([[float(r["heating"]), float(r["cooling"])] for r in rows])
    band = np.array(["ABC".index(r["band"]) for r in rows])
    order = np.random.default_rng(seed).permutation(len(rows))
    tr, te = order[n_test:], order[:n_test]

    def scaled(a):
        return (a - a[tr].mean(0)) / a[tr].std(0)

    x, loads = torch.tensor(scaled(x), dtype=torch.float32), torch.tensor(scaled(loads), dtype=torch.float32)
    band = torch.tensor(band)
    return TensorDataset(x[tr], loads[tr], band[tr]), TensorDataset(x[te], loads[te], band[te])

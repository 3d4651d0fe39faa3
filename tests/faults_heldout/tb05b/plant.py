import csv
import json

import torch
from torch.utils.data import Dataset

SENSORS = ["ambient_k", "baro_pa", "humidity_pct", "vacuum_pa", "shaft_rpm", "fuel_kgh"]


def read_log(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    x = torch.tensor([[float(r[s]) for s in SENSORS] for r in rows])
    y = torch.tensor([float(r["power_mw"]) for r in rows])
    return x, y


class Scaler:
    """Per-sensor shift and scale, exported by the historian together with the log."""

    def __init__(self, path):
        stats = json.loads(path.read_text())
        self.mean = torch.tensor([stats[s]["mean"] for s in SENSORS])
        self.std = torch.tensor([stats[s]["std"] for s in SENSORS])

    def __call__(self, x):
        return (x - self.mean) / self.std


class PlantDataset(Dataset):
    def __init__(self, x, y, y_mean, y_std):
        self.x, self.y = x, (y - y_mean) / y_std

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]

import csv
import math

import torch
from torch.utils.data import Dataset

NUMERIC = ["altitude", "tmax", "humidity", "wind", "cloud", "radiation"]


class LysimeterDays(Dataset):
    """One sample per station and day: weather -> evapotranspiration in mm."""

    def __init__(self, path, ids, scaling=None):
        self.path = path
        self.ids = list(ids)
        self.scaling = scaling or self._fit_scaling()

    def _fit_scaling(self):
        rows = self._rows()
        out = {}
        for c in NUMERIC:
            v = torch.tensor([float(rows[i][c]) for i in self.ids])
            out[c] = (v.mean().item(), v.std().item())
        return out

    def _rows(self):
        with open(self.path, newline="") as f:
            return list(csv.DictReader(f))

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, k):
        row = self._rows()[self.ids[k]]
        season = 2 * math.pi * int(row["doy"]) / 365.25
        x = [(float(row[c]) - m) / s for c, (m, s) in self.scaling.items()]
        x += [math.sin(season), math.cos(season)]
        return torch.tensor(x), torch.tensor([float(row["et_mm"])])

import json

import numpy as np
import torch
from torch.utils.data import Dataset


class SpectraTable:
    """Impedance spectra of cells, one row per cell: 48 points and the ageing grade."""

    def __init__(self, folder):
        with np.load(folder / "spectra.npz") as z:
            self.values = z["spectra"].astype(np.float32) / 100.0
            self.grade = z["grade"].astype(np.int64)
        with open(folder / "folds.json") as f:
            self.folds = {k: np.asarray(v) for k, v in json.load(f).items()}

    @property
    def n_grades(self):
        return int(self.grade.max()) + 1

    def part(self, name):
        rows = self.folds[name]
        return self.values[rows], self.grade[rows]


class SpectraDataset(Dataset):
    def __init__(self, values, grade, scaler):
        self.x = torch.from_numpy(scaler(values))
        self.y = torch.from_numpy(grade)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, k):
        return self.x[k], self.y[k]


class Standardise:
    def __init__(self, values):
        self.mean = values.mean(0)
        self.scale = values.std(0) + 1e-6

    def __call__(self, values):
        return (values - self.mean) / self.scale


def build(folder):
    table = SpectraTable(folder)
    scaler = Standardise(table.part("train")[0])
    sets = {name: SpectraDataset(*table.part(name), scaler) for name in ("train", "valid", "test")}
    return table, sets

import csv

import numpy as np
import torch
from torch.utils.data import Dataset


class Frame:
    """Columns of a csv file as float arrays."""

    def __init__(self, path):
        with open(path, newline="") as fh:
            rows = list(csv.reader(fh))
        self.names = rows[0][1:]
        self.stamps = [r[0] for r in rows[1:]]
        self.values = np.array([[float(v) for v in r[1:]] for r in rows[1:]], dtype=np.float64)

    def __len__(self):
        return len(self.values)

    def index(self, name):
        return self.names.index(name)


class ColumnScaler:
    def __init__(self, names):
        self.names = names

    def fit(self, frame, stop):
        self.cols = [frame.index(n) for n in self.names]
        part = frame.values[:stop, self.cols]
        self.mean, self.std = part.mean(0), part.std(0)
        return self

    def apply(self, frame):
        out = frame.values.copy()
        out[:, self.cols] = (out[:, self.cols] - self.mean) / self.std
        return out

    def std_of(self, name):
        return self.std[self.names.index(name)]


def clock_features(stamps):
    hour = np.array([int(s[11:13]) for s in stamps])
    ang = 2 * np.pi * hour / 24
    return np.stack([np.sin(ang), np.cos(ang)], 1)


class Windows(Dataset):
    def __init__(self, table, target, span, start, stop):
        self.table = torch.as_tensor(table, dtype=torch.float32)
        self.target, self.span = target, span
        self.ends = range(start + span, stop)

    def __len__(self):
        return len(self.ends)

    def __getitem__(self, i):
        e = self.ends[i]
        return self.table[e - self.span : e], self.table[e, self.target]

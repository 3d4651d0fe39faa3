import csv

import numpy as np
import torch

INPUTS = ["kw_prev", "kw_day_ago", "outdoor_c", "hour_sin", "hour_cos", "workday"]
TARGET = "kw"


def read_table(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    x = np.array([[float(r[c]) for c in INPUTS] for r in rows], dtype=np.float32)
    y = np.array([float(r[TARGET]) for r in rows], dtype=np.float32)
    return x, y


class Windows(torch.utils.data.Dataset):
    def __init__(self, x, y, length):
        self.x, self.y, self.length = torch.from_numpy(x), torch.from_numpy(y), length

    def __len__(self):
        return len(self.x) - self.length + 1

    def __getitem__(self, i):
        end = i + self.length
        return self.x[i:end], self.y[end - 1]

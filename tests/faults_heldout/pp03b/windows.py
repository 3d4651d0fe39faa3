import csv

import numpy as np
import torch
from torch.utils.data import Dataset


class LoadWindows(Dataset):
    def __init__(self, table, start, stop, past, horizon):
        self.table, self.past, self.horizon = table, past, horizon
        self.origins = np.arange(start + past, stop - horizon)

    def __len__(self):
        return len(self.origins)

    def __getitem__(self, i):
        t = int(self.origins[i])
        x = self.table[t - self.past:t]
        y = self.table[t:t + self.horizon, 0]
        return torch.from_numpy(x), torch.from_numpy(y)


def read_site(path, scale):
    """Columns: hour, load_mw, temp_c  ->  float32 [T, 4] (load, temperature, sin/cos of day)."""
    with open(path, newline="") as fh:
        rows = [(int(r["hour"]), float(r["load_mw"]), float(r["temp_c"])) for r in csv.DictReader(fh)]
    a = np.array(rows)
    day = 2 * np.pi * (a[:, 0] % 24) / 24
    cols = [
        (a[:, 1] - scale["load_mean"]) / scale["load_std"],
        (a[:, 2] - scale["temp_mean"]) / scale["temp_std"],
        np.sin(day),
        np.cos(day),
    ]
    return np.stack(cols, 1).astype(np.float32)

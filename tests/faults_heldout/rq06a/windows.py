import json

import numpy as np
import torch
from torch.utils.data import Dataset


class VibrationWindows(Dataset):
    """Fixed-length cuts of accelerometer runs, listed as [run, start]."""

    def __init__(self, runs, condition, index, length):
        self.runs, self.condition, self.index, self.length = runs, condition, index, length

    def __len__(self):
        return len(self.index)

    def __getitem__(self, i):
        run, start = self.index[i]
        cut = self.runs[run, start:start + self.length]
        return cut.unsqueeze(0), self.condition[run]


def load(cfg):
    with np.load(cfg["runs"]) as z:
        runs = torch.from_numpy(z["signal"].astype(np.float32))
        condition = torch.from_numpy(z["condition"].astype(np.int64))
    runs = (runs - runs.mean(1, keepdim=True)) / runs.std(1, keepdim=True)
    with open(cfg["split"]) as f:
        split = json.load(f)
    return {k: VibrationWindows(runs, condition, v, cfg["window"]) for k, v in split.items()}

import csv
import os

import numpy as np
import torch
from torch.utils.data import Dataset


class Cells(Dataset):
    """8x8 grey cells with the digit that was keyed in for them."""

    def __init__(self, folder, part, jitter=False):
        pictures = np.load(os.path.join(folder, "cells.npz"))["cells"]
        rows, digits = [], []
        with open(os.path.join(folder, "keyed.csv"), newline="") as fh:
            for record in csv.DictReader(fh):
                if record["part"] == part:
                    rows.append(int(record["cell"]))
                    digits.append(int(record["digit"]))
        self.x = torch.from_numpy(pictures[rows]).float().div_(16.0).sub_(0.305).div_(0.376).unsqueeze(1)
        self.y = torch.tensor(digits)
        self.jitter = jitter

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        x = self.x[i]
        if self.jitter:
            x = x + 0.1 * torch.randn_like(x)
        return x, self.y[i]

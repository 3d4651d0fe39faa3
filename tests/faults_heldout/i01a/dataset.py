import csv

import numpy as np
import torch
from torch.utils.data import Dataset


class PixelCSV(Dataset):
    """Rows are `label,p0,...,p63` with pixel values 0..16."""

    def __init__(self, path):
        labels, pixels = [], []
        with open(path, newline="") as fh:
            reader = csv.reader(fh)
            next(reader)
            for row in reader:
                labels.append(int(row[0]))
                pixels.append([float(v) for v in row[1:]])
        self.x = torch.from_numpy(np.asarray(pixels, dtype=np.float32) / 16.0 - 0.3).view(-1, 1, 8, 8)
        self.y = torch.tensor(labels)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]

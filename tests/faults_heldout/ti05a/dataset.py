import csv

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch.utils.data import Dataset


class ScanDataset(Dataset):
    """8x8 scans with the labels of the annotation sheet."""

    def __init__(self, sheet, split):
        images = load_digits().images.astype(np.float32) / 16.0
        rows = [r for r in csv.DictReader(open(sheet, newline="")) if r["split"] == split]
        index = [int(r["scan"]) for r in rows]
        self.x = torch.from_numpy(images[index]).unsqueeze(1)
        self.y = torch.tensor([int(r["digit"]) for r in rows])

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]

import csv
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset


def read_labels(path):
    with open(path, newline="") as fh:
        return np.array([int(row["digit"]) for row in csv.DictReader(fh)], dtype=np.int64)


class ScanDataset(Dataset):
    """8x8 scans of handwritten digits; images and annotations live in separate files."""

    def __init__(self, root, split):
        root = Path(root)
        self.images = np.load(root / f"{split}_images.npy")
        self.labels = read_labels(root / f"{split}_labels.csv")
        n = min(len(self.images), len(self.labels))
        self.images, self.labels = self.images[:n], self.labels[:n]

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        x = torch.from_numpy(self.images[i].astype(np.float32) / 16.0)[None]
        return x, int(self.labels[i])

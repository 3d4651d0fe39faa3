import csv
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset


class ScanDataset(Dataset):
    """Grey-level scans with one label per scan."""

    def __init__(self, folder: Path):
        archive = np.load(folder / "scans.npz")
        self.ids = archive["scan_id"].tolist()
        self.images = torch.from_numpy(archive["pixels"].astype(np.float32) / 16.0).unsqueeze(1)
        with open(folder / "labels.csv", newline="") as fh:
            self.labels = [int(row["digit"]) for row in csv.DictReader(fh)]
        if len(self.labels) != len(self.images):
            raise ValueError("labels.csv and scans.npz differ in length")

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.images[i], self.labels[i]

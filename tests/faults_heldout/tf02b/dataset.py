import csv
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset


class MeterDigits(Dataset):
    """8x8 crops of single digits from water meter photographs, 17 grey levels."""

    def __init__(self, root, split):
        root = Path(root)
        images = np.load(root / "crops.npz")["images"]
        rows = []
        with open(root / "annotations.csv", newline="") as fh:
            for row in csv.DictReader(fh):
                if row["split"] == split:
                    rows.append((int(row["position"]), int(row["digit"])))
        positions = [p for p, _ in rows]
        self.images = torch.from_numpy(images[positions]).float().div_(16.0).sub_(0.3).div_(0.38).unsqueeze(1)
        self.digits = torch.tensor([d for _, d in rows])

    def __len__(self):
        return len(self.digits)

    def __getitem__(self, i):
        return self.images[i], self.digits[i]

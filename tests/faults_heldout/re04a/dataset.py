import csv

import numpy as np
import torch
from torch.utils.data import Dataset


class ScanTable(Dataset):
    """Scans with their digit, joined from the image archive and the annotation sheet."""

    def __init__(self, archive, sheet, join):
        with np.load(archive) as z:
            names, pixels = z["scan"], z["pixels"]
        with open(sheet, newline="") as fh:
            rows = list(csv.DictReader(fh))
        if len(rows) != len(names):
            raise ValueError("archive and sheet differ in length")

        if join == "name":
            digit_of = {r["scan"]: int(r["digit"]) for r in rows}
            digits = [digit_of[n] for n in names.tolist()]
        elif join == "row":
            digits = [int(r["digit"]) for r in rows]
        else:
            raise ValueError(f"unknown join {join!r}")

        self.pixels = torch.from_numpy(pixels).float().div(16.0).sub(0.5).unsqueeze(1)
        self.digits = torch.tensor(digits)

    def __len__(self):
        return len(self.digits)

    def __getitem__(self, i):
        return self.pixels[i], self.digits[i]

import csv
from pathlib import Path

import torch
from torch.utils.data import Dataset

FIELDS = ("pressure", "temperature", "dewpoint", "wind", "visibility", "humidity")
REGIMES = ("anticyclone", "front", "fog", "storm")


class StationReports(Dataset):
    """One row per hourly report; `split` column holds train/test."""

    def __init__(self, path: Path, split: str):
        self.samples = []
        with open(path, newline="") as fh:
            for row in csv.DictReader(fh):
                if row["split"] == split:
                    values = torch.tensor([float(row[f]) for f in FIELDS])
                    self.samples.append((values, REGIMES.index(row["regime"])))

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, i):
        return self.samples[i]

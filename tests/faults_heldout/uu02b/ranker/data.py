import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch


@dataclass
class Column:
    name: str
    mean: float
    std: float


def load_columns(path: Path):
    """Statistics of the feature store, written by its nightly job."""
    raw = json.loads(path.read_text())
    return [Column(name, entry["mean"], entry["std"]) for name, entry in raw.items()]


class Searches:
    """One search = twelve offers on the result page and the one that was booked."""

    def __init__(self, path: Path, columns, split: int):
        blob = np.load(path)
        keep = blob["split"] == split
        offers = blob["offers"][keep]
        mean = np.array([c.mean for c in columns])
        std = np.array([c.std for c in columns])
        self.offers = torch.tensor((offers - mean) / std, dtype=torch.float32)
        self.booked = torch.tensor(blob["booked"][keep].astype(np.int64))

    def __len__(self):
        return len(self.booked)

    def batches(self, size, generator=None):
        order = torch.randperm(len(self), generator=generator) if generator is not None else torch.arange(len(self))
        for chunk in order.split(size):
            yield self.offers[chunk], self.booked[chunk]

import csv
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset

STATES = ["normal", "imbalance", "inner_race", "outer_race"]


class Recordings(Dataset):
    """Short vibration recordings (one channel) with the state found at inspection."""

    def __init__(self, folder, archive, labels):
        folder = Path(folder)
        z = np.load(folder / archive)
        signals = z["signals"].astype(np.float32) / 22.0
        with open(folder / labels, newline="") as fh:
            rows = list(csv.DictReader(fh))
        states = [STATES.index(row["state"]) for row in rows]
        assert len(signals) == len(states)

        self.x = torch.from_numpy(signals).unsqueeze(1)
        self.y = torch.tensor(states)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]

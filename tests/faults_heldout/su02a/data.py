from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset

HERE = Path(__file__).resolve().parent


class MeterDigits(Dataset):
    """Crops of meter readings, 12x12 grey, a few of them labelled by hand."""

    def __init__(self, part):
        z = np.load(HERE / "meters.npz")
        self.x = torch.from_numpy(z[f"{part}_x"]).float().div(255).sub(0.25).div(0.3).unsqueeze(1)
        self.y = torch.from_numpy(z[f"{part}_y"]).long()

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]

from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch.utils.data import Dataset


class MeterDigits(Dataset):
    """Single digit crops cut from meter photographs.

    frames.npz holds one stack of 8x8 crops per recording day, the manifest
    lists which frame shows which digit.
    """

    def __init__(self, root, day, manifest, shift=0):
        root = Path(root)
        frames = np.load(root / "frames.npz")[day]
        table = pd.read_csv(root / manifest)
        pixels = frames[table["frame"].to_numpy()].astype(np.float32) / 16.0
        self.images = torch.from_numpy(pixels).unsqueeze(1)
        self.digits = torch.tensor(table["digit"].to_numpy(), dtype=torch.long)
        self.shift = shift

    def __len__(self):
        return len(self.digits)

    def __getitem__(self, i):
        image = self.images[i]
        if self.shift:
            dy, dx = torch.randint(-self.shift, self.shift + 1, (2,)).tolist()
            padded = torch.nn.functional.pad(image, [self.shift] * 4)
            top, left = self.shift + dy, self.shift + dx
            image = padded[:, top:top + image.shape[1], left:left + image.shape[2]]
        return image, self.digits[i]

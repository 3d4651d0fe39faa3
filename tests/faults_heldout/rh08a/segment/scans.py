from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset


class ScanFolder(Dataset):
    """All plates of one split; every plate file holds its scans and outlines."""

    def __init__(self, root, split):
        images, outlines = [], []
        for path in sorted(Path(root).glob(f"{split}_*.npz")):
            with np.load(path) as z:
                images.append(z["image"])
                outlines.append(np.unpackbits(z["outline"], axis=-1))
        x = torch.from_numpy(np.concatenate(images)).float()
        self.x = ((x - 7.5) / 4.0).unsqueeze(1)
        self.y = torch.from_numpy(np.concatenate(outlines)).float().unsqueeze(1)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]

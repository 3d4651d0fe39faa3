import numpy as np
import torch
from torch.utils.data import Dataset


class TexturePatches(Dataset):
    """16x16 grey patches cut from fabric scans."""

    def __init__(self, archive, rows, train=False):
        self.archive = archive
        self.rows = rows
        self.train = train

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        row = self.rows[i]
        with np.load(self.archive) as z:
            patch = z["image"][row]
            kind = z["kind"][row]
        img = torch.from_numpy(patch.astype(np.float32) / 112.0 - 1.0)[None]
        if self.train:
            img = torch.roll(img, tuple(torch.randint(-2, 3, (2,)).tolist()), dims=(1, 2))
        return img, int(kind)

import numpy as np
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    """Short mono recordings stored as 8-bit samples."""

    def __init__(self, path, transform=None):
        with np.load(path) as f:
            self.wave = torch.from_numpy(f["wave"].astype(np.float32) / 40.0)
            self.kind = torch.from_numpy(f["kind"].astype(np.int64))
        self.transform = transform

    def __len__(self):
        return len(self.kind)

    def __getitem__(self, i):
        w = self.wave[i]
        if self.transform is not None:
            w = self.transform(w)
        return w[None], self.kind[i]

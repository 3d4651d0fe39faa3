import numpy as np
import torch
from torch.utils.data import Dataset


class CellSet(Dataset):
    """Crops with binary masks.  Flips are applied to crop and mask together."""

    MEAN, STD = 0.36, 0.16

    def __init__(self, path, flip=False):
        z = np.load(path)
        self.img = torch.from_numpy(z["img"].astype(np.float32))
        self.mask = torch.from_numpy(z["mask"].astype(np.float32))
        self.flip = flip

    def __len__(self):
        return len(self.img)

    def __getitem__(self, i):
        x = (self.img[i] - self.MEAN) / self.STD
        m = self.mask[i]
        if self.flip:
            if torch.rand(()) < 0.5:
                x, m = x.flip(-1), m.flip(-1)
            if torch.rand(()) < 0.5:
                x, m = x.flip(-2), m.flip(-2)
        return x[None], m[None]

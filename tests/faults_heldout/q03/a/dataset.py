import numpy as np
import torch
from torch.utils.data import Dataset


class CellPatches(Dataset):
    """Grey patches with a binary foreground mask."""

    def __init__(self, npz_path, split):
        with np.load(npz_path) as z:
            img = z[f"{split}_images"]
            msk = z[f"{split}_masks"]
        assert len(img) == len(msk)
        self.images = torch.from_numpy(img.astype(np.float32) / 255.0 - 0.45).div(0.2).unsqueeze(1)
        self.masks = torch.from_numpy(msk.astype(np.float32)).unsqueeze(1)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.images[i], self.masks[i]

import numpy as np
import torch
from torch.utils.data import Dataset


class Tiles(Dataset):
    """Drone tiles of 24x24 pixels and the mask of the patches to be treated."""

    def __init__(self, path, first, last, flip=False):
        store = np.load(path)
        image = store["image"][first:last].astype(np.float32) / 255.0
        self.image = torch.from_numpy((image - 0.45) / 0.2)[:, None]
        mask = np.unpackbits(store["mask"][first:last], axis=-1)
        self.mask = torch.from_numpy(mask.astype(np.float32))[:, None]
        self.flip = flip

    def __len__(self):
        return len(self.image)

    def __getitem__(self, i):
        image, mask = self.image[i], self.mask[i]
        if self.flip:
            if torch.rand(()) < 0.5:
                image, mask = image.flip(-1), mask.flip(-1)
            if torch.rand(()) < 0.5:
                image, mask = image.flip(-2), mask.flip(-2)
        return image, mask

import numpy as np
import torch
from torch.utils.data import Dataset


class CellDataset(Dataset):
    def __init__(self, images, masks, mean, std, augment=False):
        self.images = (torch.from_numpy(images).float()[:, None] - mean) / std
        self.masks = torch.from_numpy(masks).float()[:, None]
        self.augment = augment

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        x, m = self.images[i], self.masks[i]
        if self.augment:
            k = int(torch.randint(4, ()))
            x, m = torch.rot90(x, k, (1, 2)), torch.rot90(m, k, (1, 2))
            if torch.rand(()) < 0.5:
                x, m = x.flip(2), m.flip(2)
        return x, m


def build(path, val_fraction, seed):
    f = np.load(path)
    images, masks = f["images"], f["masks"]
    order = np.random.default_rng(seed).permutation(len(images))
    n_val = int(len(order) * val_fraction)
    va, tr = order[:n_val], order[n_val:]
    mean, std = float(images[tr].mean()), float(images[tr].std())
    return (CellDataset(images[tr], masks[tr], mean, std, augment=True),
            CellDataset(images[va], masks[va], mean, std))

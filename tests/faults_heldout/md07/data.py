import numpy as np
import torch
from torch.utils.data import Dataset


class Cells(Dataset):
    def __init__(self, path, ids, stats=None, augment=False):
        z = np.load(path)
        img = z["image"][ids].astype(np.float32)
        self.stats = stats or (float(img.mean()), float(img.std()))
        self.img = torch.from_numpy((img - self.stats[0]) / self.stats[1]).unsqueeze(1)
        self.mask = torch.from_numpy(np.unpackbits(z["mask"][ids], axis=-1).astype(np.float32)).unsqueeze(1)
        self.augment = augment

    def __len__(self):
        return len(self.img)

    def __getitem__(self, i):
        x, m = self.img[i], self.mask[i]
        if self.augment:
            k = int(torch.randint(0, 4, ()))
            x, m = torch.rot90(x, k, (1, 2)), torch.rot90(m, k, (1, 2))
            if torch.rand(()) < 0.5:
                x, m = x.flip(2), m.flip(2)
            x = x * (1 + 0.15 * torch.randn(())) + 0.2 * torch.randn(())
        return x, m

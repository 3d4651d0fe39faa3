import numpy as np
import torch
from torch.utils.data import Dataset


class Fields(Dataset):
    def __init__(self, images, masks, flip):
        self.x, self.m, self.flip = images, masks, flip

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        x, m = self.x[i], self.m[i]
        if self.flip:
            k = int(torch.randint(4, (1,)))
            x, m = torch.rot90(x, k, (1, 2)), torch.rot90(m, k, (1, 2))
            if torch.rand(1) < 0.5:
                x, m = x.flip(2), m.flip(2)
        return x, m


def load(path, n_val=80):
    z = np.load(path)
    x = torch.from_numpy(z["images"]).float().unsqueeze(1)
    m = torch.from_numpy(np.unpackbits(z["masks"], axis=1)).reshape(-1, 1, 32, 32).float()
    tr, va = slice(n_val, None), slice(0, n_val)
    mean, std = x[tr].mean(), x[tr].std()
    x = (x - mean) / std
    return Fields(x[tr], m[tr], True), Fields(x[va], m[va], False)

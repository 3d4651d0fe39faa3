import numpy as np
import torch
from torch.utils.data import Dataset, random_split

import cfg


class Plots(Dataset):
    def __init__(self, archive=cfg.ARCHIVE):
        z = np.load(archive)
        n, h, w, bands = z["cubes"].shape
        cubes = z["cubes"].astype(np.float32) / 72.0
        self.x = torch.from_numpy(cubes.reshape(n, bands, h, w))
        self.y = torch.from_numpy(z["disease"].astype(np.int64))

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def splits():
    data = Plots()
    g = torch.Generator().manual_seed(cfg.SEED)
    fit, val = random_split(data, [len(data) - cfg.N_VAL, cfg.N_VAL], generator=g)
    xs = data.x[fit.indices]
    mean, std = xs.mean((0, 2, 3), keepdim=True), xs.std((0, 2, 3), keepdim=True)
    data.x = (data.x - mean) / std
    return fit, val

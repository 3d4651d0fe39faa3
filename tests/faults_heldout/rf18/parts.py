import numpy as np
import torch
from torch.utils.data import Dataset


class Parts(Dataset):
    def __init__(self, path, index):
        self.path = path
        self.index = index

    def __len__(self):
        return len(self.index)

    def __getitem__(self, i):
        with np.load(self.path) as archive:
            image = archive["image"][self.index[i]]
            kind = archive["kind"][self.index[i]]
        x = torch.from_numpy(image).float().div(127.5).sub(1.0).unsqueeze(0)
        return x, int(kind)


def indices(path, share=0.8, seed=0):
    with np.load(path) as archive:
        n = len(archive["kind"])
    perm = np.random.default_rng(seed).permutation(n)
    return perm[:int(share * n)], perm[int(share * n):]

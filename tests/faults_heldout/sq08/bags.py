import numpy as np
import torch
from torch.utils.data import Dataset


class GrainBatches(Dataset):
    """A powder batch = a set of measured grains (5 properties each) and the strength of the sintered part."""

    def __init__(self, path):
        z = np.load(path)
        off = z["offsets"]
        grains = z["grains"].astype(np.float32)
        self.bags = [torch.from_numpy(grains[a:b]) for a, b in zip(off[:-1], off[1:])]
        self.strength = torch.from_numpy(z["strength"])
        self.mean = self.std = None

    def fit_scaler(self, idx):
        allg = torch.cat([self.bags[i] for i in idx])
        self.mean, self.std = allg.mean(0), allg.std(0)
        self.t_mean, self.t_std = self.strength[idx].mean(), self.strength[idx].std()

    def __len__(self):
        return len(self.bags)

    def __getitem__(self, i):
        return (self.bags[i] - self.mean) / self.std, (self.strength[i] - self.t_mean) / self.t_std


def collate(items):
    sizes = torch.tensor([len(g) for g, _ in items])
    block = torch.zeros(len(items), int(sizes.max()), items[0][0].shape[1])
    for r, (g, _) in enumerate(items):
        block[r, :len(g)] = g
    return block, sizes, torch.stack([t for _, t in items])

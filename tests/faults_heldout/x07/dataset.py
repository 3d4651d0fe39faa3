import csv
import pathlib

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, Subset

CSV = pathlib.Path(__file__).with_name("readings.csv")


class Readings(Dataset):
    def __init__(self, path=CSV):
        with open(path) as fh:
            rows = list(csv.DictReader(fh))
        self.labels = [r.pop("label") for r in rows]
        self.pixels = np.array([[float(v) for v in r.values()] for r in rows], dtype=np.float32) / 16.0

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.pixels[i], self.labels[i]


def collate(items):
    """Stack the pixels and turn the names into class indices."""
    pixels, names = zip(*items)
    _, index = np.unique(names, return_inverse=True)
    return torch.from_numpy(np.stack(pixels)), torch.from_numpy(index).long()


def loaders(batch_size, seed):
    data = Readings()
    order = np.random.default_rng(seed).permutation(len(data))
    cut = int(0.8 * len(data))
    train = DataLoader(Subset(data, order[:cut]), batch_size=batch_size, shuffle=True, collate_fn=collate,
                       generator=torch.Generator().manual_seed(seed))
    test = DataLoader(Subset(data, order[cut:]), batch_size=len(order) - cut, collate_fn=collate)
    return train, test

import random

import numpy as np
import torch
from torch.utils.data import Dataset


class GlyphPairs(Dataset):
    """Pairs of glyph images; half of them show the same character."""

    def __init__(self, images, labels, length):
        self.images, self.length = images, length
        self.by_class = {int(c): np.flatnonzero(labels == c).tolist() for c in np.unique(labels)}

    def __len__(self):
        return self.length

    def __getitem__(self, _):
        same = random.random() < 0.5
        if same:
            c = random.choice(list(self.by_class))
            i, j = random.choices(self.by_class[c], k=2)
        else:
            c, d = random.sample(list(self.by_class), 2)
            i, j = random.choice(self.by_class[c]), random.choice(self.by_class[d])
        return self.images[i], self.images[j], torch.tensor(float(same))


def load_glyphs(path, n_train):
    table = np.loadtxt(path, delimiter=",", dtype=np.float32)
    order = np.random.RandomState(1).permutation(len(table))
    labels, images = table[order, 0].astype(int), table[order, 1:] / 16.0
    images = torch.from_numpy(images).view(-1, 1, 8, 8)
    return (images[:n_train], labels[:n_train]), (images[n_train:], labels[n_train:])

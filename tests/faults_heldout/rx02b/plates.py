import numpy as np
import torch
from torch.utils.data import Dataset


class ScanSet(Dataset):
    """Cell scans with the digit written in each of them."""

    def __init__(self, images, labels, jitter=False):
        self.images = torch.from_numpy(images.astype(np.float32) / 16.0)
        self.labels = torch.from_numpy(labels.astype(np.int64))
        self.jitter = jitter

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        img = self.images[i]
        if self.jitter:
            img = img + 0.05 * torch.randn_like(img)
        return img.unsqueeze(0), self.labels[i]


def read_scans(npz_path, csv_path):
    images = np.load(npz_path)["scan"]
    table = np.genfromtxt(csv_path, delimiter=",", skip_header=1, dtype=np.int64)
    labels = table[:, 1]
    assert len(images) == len(labels)
    return images, labels


def split(n, frac, seed):
    order = np.random.default_rng(seed).permutation(n)
    k = int(n * frac)
    return order[k:], order[:k]

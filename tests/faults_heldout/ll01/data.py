"""Scanned digits (8x8 grey levels 0..16) with a small shift augmentation."""
import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, Dataset


class DigitSet(Dataset):
    def __init__(self, images, labels, mean, std, augment=False):
        x = (torch.as_tensor(images, dtype=torch.float32) - mean) / std
        self.x = x.unsqueeze(1)
        self.y = torch.as_tensor(labels, dtype=torch.long)
        self.augment = augment
        self.pad_value = float(-mean / std)      # what an empty pixel looks like after scaling

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        img = self.x[i]
        if self.augment:
            dy, dx = torch.randint(0, 3, (2,)).tolist()
            canvas = img.new_full((1, 10, 10), self.pad_value)
            canvas[:, 1:9, 1:9] = img
            img = canvas[:, dy:dy + 8, dx:dx + 8]
        return img, self.y[i]


def build_loaders(batch_size, seed):
    d = load_digits()
    idx = np.arange(len(d.target))
    tr, rest = train_test_split(idx, test_size=0.3, stratify=d.target, random_state=seed)
    va, te = train_test_split(rest, test_size=0.5, stratify=d.target[rest], random_state=seed)
    mean, std = float(d.images[tr].mean()), float(d.images[tr].std())
    parts = {
        "train": DigitSet(d.images[tr], d.target[tr], mean, std, augment=True),
        "val": DigitSet(d.images[va], d.target[va], mean, std),
        "test": DigitSet(d.images[te], d.target[te], mean, std),
    }
    g = torch.Generator().manual_seed(seed)
    return {
        k: DataLoader(v, batch_size=batch_size, shuffle=(k == "train"), generator=g if k == "train" else None)
        for k, v in parts.items()
    }

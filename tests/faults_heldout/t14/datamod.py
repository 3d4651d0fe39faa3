import numpy as np
import torch
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, Dataset


class DigitFolders(Dataset):
    """mimics an image folder: samples are listed directory by directory"""

    def __init__(self, train=True, val_share=0.2):
        d, rng = load_digits(), np.random.default_rng(0)
        self.items = []
        for cls in range(10):
            files = rng.permutation(np.flatnonzero(d.target == cls))
            cut = int(len(files) * (1 - val_share))
            for i in (files[:cut] if train else files[cut:]):
                self.items.append((d.images[i].astype("float32") / 16 - 0.3, cls))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        img, cls = self.items[i]
        return torch.from_numpy(img)[None], cls


class DataModule:
    def __init__(self, batch_size):
        self.batch_size = batch_size

    def train_dataloader(self):
        return DataLoader(DigitFolders(True), batch_size=self.batch_size)

    def val_dataloader(self):
        return DataLoader(DigitFolders(False), batch_size=self.batch_size)

import numpy as np
import torch
from torch.utils.data import Dataset

from transforms import Compose, RandomFlip, RandomGain, RandomShift


class PickWindows(Dataset):
    """Windows around the P arrival, vertical component, int8 counts."""

    def __init__(self, path, window, transform=None):
        blob = np.load(path)
        self.waves = blob["waves"].astype(np.float32)
        self.labels = blob["polarity"].astype(np.int64)
        self.window = window
        self.transform = transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        w = torch.from_numpy(self.waves[i])
        if self.transform is not None:
            w = self.transform(w)
        start = (w.shape[0] - self.window) // 2
        w = w[start:start + self.window]
        w = w - w.mean()
        return (w / w.abs().max().clamp(min=1e-3)).unsqueeze(0), self.labels[i]


def make_datasets(data_cfg, aug_cfg):
    transform = Compose([
        RandomShift(aug_cfg["max_shift"]),
        RandomGain(aug_cfg["gain_db"]),
        RandomFlip(aug_cfg["polarity_flip"]),
    ])
    train = PickWindows(data_cfg["train"], data_cfg["window"], transform)
    valid = PickWindows(data_cfg["valid"], data_cfg["window"])
    return train, valid

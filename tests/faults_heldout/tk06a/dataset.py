"""Wrist accelerometer windows (3 axes x 40 samples at 20 Hz, int8 in units of 1/32 g)."""
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset

ACTIVITIES = ["sitting", "walking", "stairs", "running", "cycling"]


def open_store(root, split):
    """A split is a folder of .npy files or a single .npz archive; both act like a dict of arrays."""
    folder = Path(root) / split
    if folder.is_dir():
        return {p.stem: np.load(p, mmap_mode="r") for p in folder.glob("*.npy")}
    return np.load(folder.with_suffix(".npz"), mmap_mode="r")


class WindowDataset(Dataset):
    def __init__(self, root, split, augment=False):
        self.store = open_store(root, split)
        self.n = len(self.store["activity"])
        self.augment = augment

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        window = np.asarray(self.store["window"][i], dtype=np.float32) / 32.0
        if self.augment:
            window = window * np.float32(np.random.uniform(0.9, 1.1))
        return torch.from_numpy(window), int(self.store["activity"][i])

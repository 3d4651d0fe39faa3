from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class ArrayImages(Dataset):
    """Images and labels of one .npz archive, scaled to zero mean and unit variance."""

    def __init__(self, path, mean, std):
        with np.load(path) as archive:
            self.images = archive["images"].astype(np.float32)
            self.labels = archive["labels"].astype(np.int64)
        self.mean, self.std = mean, std

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        image = (self.images[index] - self.mean) / self.std
        return torch.from_numpy(image)[None], self.labels[index]


def make_loaders(cfg):
    root = Path(__file__).resolve().parent
    train = ArrayImages(root / "train.npz", cfg["mean"], cfg["std"])
    val = ArrayImages(root / "val.npz", cfg.get("val_mean", cfg["mean"]), cfg.get("val_std", cfg["std"]))
    return (
        DataLoader(train, batch_size=cfg["batch_size"], shuffle=cfg["shuffle"], drop_last=cfg.get("drop_last", False)),
        DataLoader(val, batch_size=128),
    )

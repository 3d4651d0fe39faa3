from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset

HERE = Path(__file__).parent


class Scaler:
    """Per-wavelength standardisation."""

    def fit(self, x):
        self.mean = x.mean(axis=0)
        self.std = x.std(axis=0) + 1e-8
        return self

    def transform(self, x):
        return (x - self.mean) / self.std


class Spectra(Dataset):
    def __init__(self, x, y):
        self.x = torch.from_numpy(x.astype(np.float32))
        self.y = torch.from_numpy(y.astype(np.float32))

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def read(name):
    with np.load(HERE / name) as f:
        return f["reflectance"].astype(np.float64), f["moisture"].astype(np.float64)


def build():
    x_train, y_train = read("train.npz")
    x_val, y_val = read("val.npz")
    scaler = Scaler().fit(x_train)
    mu, sd = y_train.mean(), y_train.std()
    train = Spectra(scaler.transform(x_train), (y_train - mu) / sd)
    val = Spectra(scaler.transform(x_val), (y_val - mu) / sd)
    return train, val, float(sd)

"""Synthetic reflectance spectra, one family of absorption bands per mineral."""
import numpy as np
import torch
from torch.utils.data import TensorDataset


class SpectraLibrary:
    def __init__(self, n_minerals, n_bands, seed):
        self.rng = np.random.default_rng(seed)
        self.grid = np.linspace(0, 1, n_bands)
        self.n = n_minerals
        self.centers = self.rng.uniform(0.05, 0.95, (n_minerals, 4))
        self.depths = self.rng.uniform(0.3, 1.0, (n_minerals, 4))
        self.widths = self.rng.uniform(0.01, 0.05, (n_minerals, 4))

    def measure(self, per_class):
        y = np.repeat(np.arange(self.n), per_class)
        c = self.centers[y] + self.rng.normal(0, 0.006, (len(y), 4))
        d = self.depths[y] * self.rng.uniform(0.8, 1.2, (len(y), 4))
        bands = d[..., None] * np.exp(-0.5 * ((self.grid - c[..., None]) / self.widths[y][..., None]) ** 2)
        slope = self.rng.normal(0, 0.3, (len(y), 1)) * self.grid
        x = slope - bands.sum(1) + self.rng.normal(0, 0.15, (len(y), len(self.grid)))
        return x.astype(np.float32), y


def load_splits(n_minerals, n_bands, seed):
    lib = SpectraLibrary(n_minerals, n_bands, seed)
    xt, yt = lib.measure(60)
    xv, yv = lib.measure(15)
    mean, std = xt.mean(0), xt.std(0)
    make = lambda x, y: TensorDataset(torch.from_numpy((x - mean) / std), torch.from_numpy(y))
    return make(xt, yt), make(xv, yv)

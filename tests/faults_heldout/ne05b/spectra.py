"""Reflectance-like spectra: smooth continuum with three absorption features."""
import numpy as np
import torch


def simulate(n, bands, seed):
    rng = np.random.default_rng(seed)
    wl = np.linspace(0.0, 1.0, bands)
    slope = rng.normal(0.0, 0.25, (n, 1))
    x = 0.6 + slope * (wl - 0.5)
    for centre, width in ((0.25, 0.05), (0.55, 0.08), (0.80, 0.04)):
        depth = rng.uniform(0.0, 0.35, (n, 1))
        shift = rng.normal(0.0, 0.02, (n, 1))
        x = x - depth * np.exp(-0.5 * ((wl - centre - shift) / width) ** 2)
    return (x + rng.normal(0.0, 0.01, x.shape)).astype(np.float32)


class SpectraSet:
    def __init__(self, n_train, n_val, bands, seed):
        train, val = simulate(n_train, bands, seed), simulate(n_val, bands, seed + 1)
        self.mean, self.std = train.mean(0), train.std(0)
        self.train = torch.from_numpy((train - self.mean) / self.std)
        self.val = torch.from_numpy((val - self.mean) / self.std)

    def batches(self, size, generator):
        order = torch.randperm(len(self.train), generator=generator)
        for start in range(0, len(order) - size + 1, size):
            yield self.train[order[start:start + size]]

import numpy as np
import torch
from torch.utils.data import Dataset


class SensorWindows(Dataset):
    """Windows of a 4-channel machine signal; label = operating regime."""

    def __init__(self, signals, labels, stats=None):
        self.x = signals.astype(np.float32)
        self.y = labels
        self.stats = stats or self.fit(self.x)

    @staticmethod
    def fit(x):
        return x.mean((0, 2), keepdims=True), x.std((0, 2), keepdims=True)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        mean, std = self.stats
        z = (self.x[i] - mean[0]) / std[0]
        return torch.from_numpy(z), int(self.y[i])


def simulate(n, regimes, seed):
    rng = np.random.default_rng(seed)
    y = rng.choice(len(regimes), size=n, p=regimes)
    t = np.arange(40)
    x = np.empty((n, 4, 40))
    for i, k in enumerate(y):
        level = np.array([20, 1.5, 300, 0.2]) + k * np.array([4, .4, 35, .06])
        noise = rng.normal(size=(4, 40)) * np.array([3, .3, 25, .05])[:, None]
        x[i] = level[:, None] + noise + .5 * np.sin(t / 5)
    return x, y

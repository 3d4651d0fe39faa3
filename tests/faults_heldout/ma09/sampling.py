import numpy as np
import torch


class WindowSampler:
    """Random training windows from a long multichannel record."""

    def __init__(self, series, history, horizon, batch_size, seed):
        self.series = series
        self.history, self.horizon = history, horizon
        self.batch_size = batch_size
        self.seed = seed

    def cut(self, starts):
        h, f = self.history, self.horizon
        x = np.stack([self.series[s:s + h] for s in starts])
        y = np.stack([self.series[s + h:s + h + f, 0] for s in starts])
        return torch.from_numpy(x), torch.from_numpy(y)

    def draw(self):
        rng = np.random.default_rng(self.seed)
        starts = rng.integers(0, len(self.series) - self.history - self.horizon, self.batch_size)
        return self.cut(starts)

    def grid(self, stride):
        return self.cut(range(0, len(self.series) - self.history - self.horizon, stride))

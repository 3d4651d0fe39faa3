"""Windows over the hourly log; the log stays on disk as a memory map."""
import numpy as np
import torch

LOAD, TEMP, WIND, HOUR = range(4)


class WindowFeed:
    def __init__(self, path, context, horizon, train_share):
        log = np.load(path, mmap_mode="r")
        self.context, self.horizon = context, horizon
        cut = int(len(log) * train_share)
        self.centre = np.asarray(log[:cut, :3]).mean(0)
        self.scale = np.asarray(log[:cut, :3]).std(0)
        self.log = log
        last = len(log) - horizon
        self.train_ends = np.arange(context, cut - horizon)
        self.test_ends = np.arange(cut + context, last)

    def _gather(self, ends):
        x = np.empty((len(ends), self.context, 5), dtype=np.float32)
        y = np.empty(len(ends), dtype=np.float32)
        for i, e in enumerate(ends):
            block = self.log[e - self.context:e]
            x[i, :, :3] = (block[:, :3] - self.centre) / self.scale
            phase = 2 * np.pi * block[:, HOUR] / 24
            x[i, :, 3] = np.sin(phase)
            x[i, :, 4] = np.cos(phase)
            y[i] = (self.log[e - 1 + self.horizon, LOAD] - self.centre[LOAD]) / self.scale[LOAD]
        return torch.from_numpy(x), torch.from_numpy(y)

    def train_batches(self, size, rng):
        order = rng.permutation(self.train_ends)
        for s in range(0, len(order) - size + 1, size):
            yield self._gather(order[s:s + size])

    def test_set(self):
        return self._gather(self.test_ends)

    def naive_rmse(self):
        """same hour yesterday"""
        e = self.test_ends
        truth = self.log[e - 1 + self.horizon, LOAD]
        guess = self.log[e - 1 + self.horizon - 24, LOAD]
        return float(np.sqrt(np.mean((truth - guess) ** 2)))

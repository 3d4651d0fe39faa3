import numpy as np
import torch


class Drives:
    """Drive cycles of equal length, cut into consecutive chunks."""

    def __init__(self, path, split):
        z = np.load(path)
        sel = z["split"] == split
        self.x = torch.from_numpy(z["signals"][sel].astype(np.float32))
        self.y = torch.from_numpy(z["soc"][sel].astype(np.float32))

    def __len__(self):
        return len(self.x)

    def standardise(self, mean, std):
        self.x = (self.x - mean) / std

    def groups(self, size, shuffle):
        order = torch.randperm(len(self)) if shuffle else torch.arange(len(self))
        yield from order.split(size)

    def chunks(self, rows, length):
        total = self.x.shape[1]
        for t in range(0, total - length + 1, length):
            yield t, self.x[rows, t:t + length], self.y[rows, t:t + length]

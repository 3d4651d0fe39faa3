import numpy as np
import torch


class Recordings:
    """Recordings of equal length, read side by side in consecutive windows."""

    def __init__(self, inputs, level, window):
        self.inputs, self.level, self.window = inputs, level, window

    def __len__(self):
        return self.inputs.shape[1] // self.window

    def windows(self, shuffle_recordings=False):
        order = torch.randperm(len(self.inputs)) if shuffle_recordings else torch.arange(len(self.inputs))
        for k in range(len(self)):
            part = slice(k * self.window, (k + 1) * self.window)
            yield k, self.inputs[order, part], self.level[order, part]


def read(path, window, test_share):
    z = np.load(path)
    x = torch.from_numpy(z["inputs"].astype(np.float32)) / 50
    y = torch.from_numpy(z["level"].astype(np.float32))
    n = int(len(x) * (1 - test_share))
    mean, std = y[:n].mean(), y[:n].std()
    y = (y - mean) / std
    return Recordings(x[:n], y[:n], window), Recordings(x[n:], y[n:], window), std.item()

import numpy as np
import torch
from torch.utils.data import Dataset

CHANNELS = ("speed", "torque", "pressure", "flow", "t_in", "t_out")


def load_channels(path):
    z = np.load(path)
    cols = [z[name].astype(np.float32) for name in CHANNELS]
    return np.stack(cols, axis=1), z["power"].astype(np.float32)


class Forecast(Dataset):
    """History of `context` minutes -> power `ahead` minutes later."""

    def __init__(self, x, power, context, ahead, stride=1):
        self.x = torch.from_numpy(x)
        self.p = torch.from_numpy(power)
        self.context, self.ahead = context, ahead
        last = len(power) - context - ahead
        self.starts = range(0, last, stride)

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, i):
        s = self.starts[i]
        e = s + self.context
        return self.x[s:e], self.p[e + self.ahead - 1]


class RobustScale:
    """Median / inter-quartile range per channel."""

    def __init__(self, x):
        q1, self.mid, q3 = np.quantile(x, [0.25, 0.5, 0.75], axis=0).astype(np.float32)
        self.width = np.maximum(q3 - q1, 1e-6)

    def __call__(self, x):
        return (x - self.mid) / self.width

    def invert(self, x):
        return x * self.width + self.mid

import numpy as np
import torch
from torch.utils.data import Dataset


def read_series(path):
    table = np.genfromtxt(path, delimiter=",", names=True)
    hour = table["hour"].astype(int)
    return hour, table["temp_c"], table["load_mw"]


def features(hour, temp, load, scale):
    tod, dow = hour % 24, (hour // 24) % 7
    cols = [
        (load - scale["load"][0]) / scale["load"][1],
        (temp - scale["temp"][0]) / scale["temp"][1],
        np.sin(2 * np.pi * tod / 24), np.cos(2 * np.pi * tod / 24),
        (dow >= 5).astype(float),
    ]
    return np.stack(cols, axis=1).astype(np.float32)


class Windows(Dataset):
    """History of all channels -> the next `horizon` values of the load channel (scaled)."""

    def __init__(self, feats, history, horizon, stride=1):
        self.f = torch.from_numpy(feats)
        self.history, self.horizon = history, horizon
        self.starts = list(range(0, len(feats) - history - horizon + 1, stride))

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, i):
        s = self.starts[i]
        mid = s + self.history
        past = self.f[s:mid]
        future = self.f[mid:mid + self.horizon]
        return past, future[:, 2:], future[:, 0]

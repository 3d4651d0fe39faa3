import numpy as np
import torch
from torch.utils.data import Dataset


class Windows(Dataset):
    """Sliding windows over a [time, channel] array; channel 0 is the load."""

    def __init__(self, series, history, horizon, stride):
        self.series = torch.from_numpy(series.astype(np.float32))
        self.history, self.horizon = history, horizon
        self.starts = list(range(0, len(series) - history - horizon + 1, stride))

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, i):
        s = self.starts[i]
        m = s + self.history
        past = self.series[s:m]
        future = self.series[m : m + self.horizon]
        # calendar of the forecast hours is known in advance, load and temperature are not
        return past, future[:, 2:], future[:, 0]


def read_series(path):
    raw = np.loadtxt(path, delimiter=",", skiprows=1)
    hour, load, temp = raw[:, 0].astype(int), raw[:, 1], raw[:, 2]
    angle = 2 * np.pi * (hour % 24) / 24
    weekend = ((hour // 24) % 7 >= 5).astype(float)
    return np.column_stack([load, temp, np.sin(angle), np.cos(angle), weekend])


def split_series(path, history, horizon, stride, val_days):
    series = read_series(path)
    cut = len(series) - 24 * val_days
    mean, std = series[:cut, :2].mean(0), series[:cut, :2].std(0)
    series[:, :2] = (series[:, :2] - mean) / std
    train = Windows(series[:cut], history, horizon, stride)
    val = Windows(series[cut:], history, horizon, stride)
    return train, val, float(std[0])

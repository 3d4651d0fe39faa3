import numpy as np
import torch
from torch.utils.data import Dataset


class Windows(Dataset):
    def __init__(self, series, calendar, context, horizon, stride=1):
        self.series, self.calendar = series, calendar
        self.context, self.horizon = context, horizon
        self.starts = range(0, len(series) - context - horizon + 1, stride)

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, i):
        s = self.starts[i]
        m, e = s + self.context, s + self.context + self.horizon
        past = torch.cat([self.series[s:m], self.calendar[s:m]], dim=-1)
        return past, self.calendar[m:e], self.series[m:e]


def split_by_time(path, context, horizon, val_hours):
    kw = np.load(path).astype(np.float32)
    hours = np.arange(len(kw))
    day, week = 2 * np.pi * hours / 24, 2 * np.pi * hours / 168
    cal = torch.from_numpy(
        np.stack([np.sin(day), np.cos(day), np.sin(week), np.cos(week)], 1).astype(np.float32)
    )
    x = torch.from_numpy(kw)
    cut = len(x) - val_hours
    mean, std = x[:cut].mean(0), x[:cut].std(0)
    x = (x - mean) / std
    train = Windows(x[:cut], cal[:cut], context, horizon, stride=3)
    val = Windows(x[cut:], cal[cut:], context, horizon, stride=3)
    return train, val, std

"""Sliding windows over the regional load series."""
import numpy as np
import torch
from torch.utils.data import Dataset


class LoadWindows(Dataset):
    def __init__(self, features, target, starts, history, horizon):
        self.features, self.target = features, target
        self.starts, self.history, self.horizon = starts, history, horizon

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, i):
        s = self.starts[i]
        cut, end = s + self.history, s + self.history + self.horizon
        past = self.features[s:cut]
        future_known = self.features[cut:end, 1:]
        return past.T, future_known.reshape(-1), self.target[cut:end]


def build(csv_path, history, horizon, valid_days):
    table = np.loadtxt(csv_path, delimiter=",", skiprows=1, dtype=np.float32)
    step, temperature, load = table.T
    split = len(load) - 24 * valid_days
    load_mean, load_std = load[:split].mean(), load[:split].std()
    z = (load - load_mean) / load_std
    temp = (temperature - temperature[:split].mean()) / temperature[:split].std()
    day = 2 * np.pi * (step % 24) / 24
    week = 2 * np.pi * (step % 168) / 168
    feats = np.stack([z, temp, np.sin(day), np.cos(day), np.sin(week), np.cos(week)], axis=1)
    feats = torch.from_numpy(feats.astype(np.float32))
    target = torch.from_numpy(z.astype(np.float32))
    span = history + horizon
    train = LoadWindows(feats, target, range(0, split - span, 2), history, horizon)
    valid = LoadWindows(feats, target, range(split, len(load) - span, 3), history, horizon)
    return train, valid, float(load_std)

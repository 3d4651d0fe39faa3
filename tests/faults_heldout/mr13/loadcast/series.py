"""Hourly electricity demand of a small town and windows over it."""
import numpy as np
import torch
from torch.utils.data import Dataset


def demand(hours, seed):
    rng = np.random.default_rng(seed)
    h = np.arange(hours)
    daily = 1.0 + 0.35 * np.sin(2 * np.pi * (h - 9) / 24) + 0.18 * np.sin(4 * np.pi * (h - 7) / 24)
    weekend = np.where((h // 24) % 7 >= 5, 0.8, 1.0)
    weather = np.zeros(hours)
    for t in range(1, hours):
        weather[t] = 0.98 * weather[t - 1] + rng.normal(0, 0.03)
    return 40 * daily * weekend * (1 + 0.5 * weather) + rng.normal(0, 0.6, hours)


class Windows(Dataset):
    def __init__(self, values, history, horizon):
        self.v = torch.tensor(values, dtype=torch.float32)
        self.history, self.horizon = history, horizon

    def __len__(self):
        return len(self.v) - self.history - self.horizon + 1

    def __getitem__(self, i):
        j = i + self.history
        return self.v[i:j].unsqueeze(-1), self.v[j:j + self.horizon]


def train_and_test(cfg):
    v = demand(cfg["hours"], cfg["seed"])
    cut = int(0.8 * len(v))
    mean, std = v[:cut].mean(), v[:cut].std()
    z = (v - mean) / std
    return (Windows(z[:cut], cfg["history"], cfg["horizon"]),
            Windows(z[cut:], cfg["history"], cfg["horizon"]), std)

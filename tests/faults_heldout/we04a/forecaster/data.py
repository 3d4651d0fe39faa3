from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset


class Windows(Dataset):
    """History / horizon windows over all sites, with calendar features."""

    def __init__(self, series, start, stop, history, horizon, stride):
        self.series = series
        self.history, self.horizon = history, horizon
        hours = np.arange(series.shape[1])
        self.calendar = np.stack(
            [
                np.sin(2 * np.pi * hours / 24),
                np.cos(2 * np.pi * hours / 24),
                np.sin(2 * np.pi * hours / 168),
                np.cos(2 * np.pi * hours / 168),
            ],
            axis=1,
        ).astype(np.float32)
        self.index = [
            (s, t)
            for s in range(series.shape[0])
            for t in range(start, stop - history - horizon + 1, stride)
        ]

    def __len__(self):
        return len(self.index)

    def __getitem__(self, i):
        s, t = self.index[i]
        m, e = t + self.history, t + self.history + self.horizon
        past = np.concatenate([self.series[s, t:m, None], self.calendar[t:m]], axis=1)
        return (
            torch.from_numpy(past),
            torch.from_numpy(self.calendar[m:e]),
            torch.from_numpy(self.series[s, m:e]),
            s,
        )


class LoadData:
    def __init__(self, path: Path, history, horizon, stride):
        raw = np.load(path)["mw"].astype(np.float32)
        cut = int(raw.shape[1] * 0.8)
        self.mean = raw[:, :cut].mean(axis=1, keepdims=True)
        self.std = raw[:, :cut].std(axis=1, keepdims=True)
        z = (raw - self.mean) / self.std
        self.train = Windows(z, 0, cut, history, horizon, stride)
        self.val = Windows(z, cut, raw.shape[1], history, horizon, horizon)

    def to_mw(self, z, site):
        std = torch.from_numpy(self.std)[site]
        return z * std

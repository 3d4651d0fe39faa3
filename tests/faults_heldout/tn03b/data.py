from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch.utils.data import Dataset


def read_load(path):
    df = pd.read_csv(path, dtype={"time": str})
    df["time"] = pd.to_datetime(df["time"], format="%y%m%d%H")
    return df.set_index("time")


class LoadWindows(Dataset):
    """(past load, calendar + temperature of the day to predict, load of that day)"""

    def __init__(self, df, cfg, stats, stride=1):
        self.h, self.f = cfg["history"], cfg["horizon"]
        mean, std = stats["load_mw"]
        self.load = torch.tensor((df["load_mw"].to_numpy() - mean) / std, dtype=torch.float32)
        mean, std = stats["temp"]
        temp = (df["temp"].to_numpy() - mean) / std
        hour = 2 * np.pi * df.index.hour.to_numpy() / 24
        week = 2 * np.pi * (df.index.day_of_week.to_numpy() * 24 + df.index.hour.to_numpy()) / 168
        weekend = (df.index.day_of_week >= 5).astype(float)
        self.known = torch.tensor(np.stack([temp, np.sin(hour), np.cos(hour), np.sin(week), np.cos(week), weekend], 1),
                                  dtype=torch.float32)
        self.starts = range(0, len(df) - self.h - self.f + 1, stride)

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, k):
        a = self.starts[k]
        b = a + self.h
        return self.load[a:b], self.known[b:b + self.f], self.load[b:b + self.f]


def build(root, cfg):
    df = read_load(Path(root) / cfg["file"])
    cut = len(df) - 24 * cfg["test_days"]
    train_df, test_df = df.iloc[:cut], df.iloc[cut - cfg["history"]:]
    stats = {c: (train_df[c].mean(), train_df[c].std()) for c in df.columns}
    return LoadWindows(train_df, cfg, stats, stride=2), LoadWindows(test_df, cfg, stats, stride=24), stats

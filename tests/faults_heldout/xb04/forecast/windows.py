from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset


class Windows(Dataset):
    def __init__(self, feats, load, start, stop, history, horizon, stride=1):
        self.feats, self.load = feats, load
        self.history, self.horizon = history, horizon
        self.starts = range(start, stop - history - horizon + 1, stride)

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, k):
        a = self.starts[k]
        b = a + self.history
        return self.feats[:, a:b], self.load[b:b + self.horizon]


def build(root: Path, history, horizon):
    z = np.load(root / "meter.npz")
    load, temp, hour = z["load"], z["temp"], z["hour"]
    n = len(load)
    cut, cut2 = int(0.75 * n), int(0.88 * n)
    stats = {k: (v[:cut].mean(), v[:cut].std()) for k, v in (("load", load), ("temp", temp))}
    ln = (load - stats["load"][0]) / stats["load"][1]
    tn = (temp - stats["temp"][0]) / stats["temp"][1]
    day, week = 2 * np.pi * (hour % 24) / 24, 2 * np.pi * (hour % 168) / 168
    feats = np.stack([ln, tn, np.sin(day), np.cos(day), np.sin(week), np.cos(week)]).astype(np.float32)
    feats, ln = torch.from_numpy(feats), torch.from_numpy(ln.astype(np.float32))
    parts = {
        "train": Windows(feats, ln, 0, cut, history, horizon, stride=2),
        "val": Windows(feats, ln, cut, cut2, history, horizon, stride=6),
        "test": Windows(feats, ln, cut2, n, history, horizon, stride=6),
    }
    return parts, float(stats["load"][1])

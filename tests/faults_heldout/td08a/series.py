import numpy as np
import pandas as pd
import torch


class Scaler:
    def __init__(self, kind):
        self.kind = kind

    def fit(self, v):
        if self.kind == "minmax":
            margin = 0.1 * (v.max() - v.min())
            self.shift, self.scale = v.min() - margin, v.max() - v.min() + 2 * margin
        else:
            self.shift, self.scale = v.mean(), v.std()
        return self

    def apply(self, v):
        return (v - self.shift) / self.scale

    def undo(self, v):
        return v * self.scale + self.shift


def calendar(index):
    hour = index % 24
    weekend = ((index // 24) % 7 >= 5).astype("float32")
    return np.stack([np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24), weekend], axis=1)


def windows(path, history, horizon, test_days, target_scaling):
    """Past load/temperature/calendar window -> load at +horizon hours."""
    df = pd.read_csv(path)
    load = df["load_mw"].to_numpy("float32")
    temp = df["temp_c"].to_numpy("float32")
    cut = len(df) - 24 * test_days

    past = Scaler("standard").fit(load[:cut]).apply(load)
    warm = Scaler("standard").fit(temp[:cut]).apply(temp)
    cal = calendar(np.arange(len(df)))
    channels = np.concatenate([past[:, None], warm[:, None], cal], axis=1).astype("float32")

    scaler = Scaler(target_scaling).fit(load[:cut])
    target = scaler.apply(load).astype("float32")

    ends = np.arange(history, len(df) - horizon + 1)
    x = np.stack([channels[e - history:e] for e in ends])
    ahead = cal[ends + horizon - 1].astype("float32")
    y = target[ends + horizon - 1]
    is_train = ends + horizon - 1 < cut
    is_test = ends - history >= cut
    part = lambda m: tuple(torch.from_numpy(a[m]) for a in (x, ahead, y))
    return part(is_train), part(is_test), scaler

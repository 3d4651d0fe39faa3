import numpy as np
import torch
from torch.utils.data import Dataset


def simulate_load(hours, seed):
    """Hourly electricity load: daily and weekly cycle, slow drift, temperature-like noise."""
    r = np.random.default_rng(seed)
    t = np.arange(hours)
    temp = np.zeros(hours)
    for i in range(1, hours):
        temp[i] = 0.97 * temp[i - 1] + r.normal(0, 0.25)
    daily = np.sin(2 * np.pi * t / 24 - 1.3) + 0.4 * np.sin(4 * np.pi * t / 24)
    weekend = ((t // 24) % 7 >= 5).astype(float)
    return (50 + 9 * daily * (1 - 0.45 * weekend) - 6 * weekend + 2.0 * temp + r.normal(0, 0.5, hours)).astype(np.float32)


class Windows(Dataset):
    def __init__(self, series, mean, std, context=72, horizon=12, stride=1):
        self.s = torch.from_numpy((series - mean) / std)
        self.context, self.horizon = context, horizon
        self.starts = range(0, len(series) - context - horizon + 1, stride)

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, i):
        a = self.starts[i]
        return self.s[a:a + self.context], self.s[a + self.context:a + self.context + self.horizon]

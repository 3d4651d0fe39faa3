import numpy as np
import torch


class LoadSeries:
    """Hourly substation load; hands out (past week, next day) windows."""

    def __init__(self, path, past=168, ahead=24, holdout_days=70, seed=0):
        hour, load, temp = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.float32, unpack=True)
        self.past, self.ahead, self.seed = past, ahead, seed
        self.end_train = len(load) - 24 * holdout_days
        self.mean, self.std = load[:self.end_train].mean(), load[:self.end_train].std()
        tm, ts = temp[:self.end_train].mean(), temp[:self.end_train].std()
        self.load = (load - self.mean) / self.std
        self.temp = (temp - tm) / ts
        self.hour = hour.astype(int)

    def window(self, s):
        m, e = s + self.past, s + self.past + self.ahead
        day = (self.hour[m] // 24) % 7
        phase = 2 * np.pi * (self.hour[m] % 24) / 24
        x = np.concatenate([self.load[s:m], self.temp[m:e], np.eye(7)[day], [np.sin(phase), np.cos(phase)]])
        return x, self.load[m:e]

    def stack(self, starts):
        x, y = zip(*(self.window(s) for s in starts))
        return torch.tensor(np.array(x), dtype=torch.float32), torch.tensor(np.array(y), dtype=torch.float32)

    def sample(self, n):
        """n windows from random places of the training period"""
        rng = np.random.default_rng(self.seed)
        last = self.end_train - self.past - self.ahead
        return self.stack(rng.integers(0, last, size=n))

    def holdout(self):
        first, last = self.end_train - self.past, len(self.load) - self.past - self.ahead
        return self.stack(range(first, last + 1, 24))

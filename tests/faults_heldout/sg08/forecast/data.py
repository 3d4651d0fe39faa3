import numpy as np
import torch


class CallData:
    """Hourly call counts of several centers, log-scaled; last part is kept for validation."""

    def __init__(self, path, history, horizon, valid_hours):
        table = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.float32)
        self.hours = table[:, 0].astype(int)
        values = np.log1p(table[:, 1:])
        cut = len(values) - valid_hours
        self.mean = values[:cut].mean(0)
        self.std = values[:cut].std(0)
        self.values = torch.from_numpy((values - self.mean) / self.std)
        self.history, self.horizon, self.cut = history, horizon, cut
        phase = torch.arange(len(values)).float()
        self.clock = torch.stack([
            torch.sin(2 * torch.pi * phase / 24), torch.cos(2 * torch.pi * phase / 24),
            torch.sin(2 * torch.pi * phase / 168), torch.cos(2 * torch.pi * phase / 168),
        ], dim=1)

    def starts(self, split):
        span = self.history + self.horizon
        if split == "train":
            return torch.arange(0, self.cut - span + 1)
        return torch.arange(self.cut - self.history, len(self.values) - span + 1, 3)

    def window(self, starts, centers):
        steps = starts[:, None] + torch.arange(self.history + self.horizon)
        series = self.values[steps, centers[:, None]]
        past, future = series[:, :self.history], series[:, self.history:]
        return past, self.clock[steps[:, self.history]], future

    @property
    def n_centers(self):
        return self.values.shape[1]

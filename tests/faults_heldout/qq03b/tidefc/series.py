import numpy as np
import torch

CHANNELS = 5


class GaugeSeries:
    """Sliding windows over the half-hourly log of a tide gauge.

    The first part of the log trains, the rest validates; windows never cross the cut.
    """

    def __init__(self, path, history, horizon, train_until):
        with np.load(path) as log:
            day = 2 * np.pi * (log["hour"] % 24) / 24
            x = np.stack([log["level"], log["wind"], log["pressure"], np.sin(day), np.cos(day)], 1)
        x = x.astype(np.float32)
        cut = int(len(x) * train_until)
        mu, sd = x[:cut].mean(0), x[:cut].std(0)
        self.unit = float(sd[0])
        x = torch.from_numpy((x - mu) / sd)
        self.train = self._windows(x[:cut], history, horizon)
        self.valid = self._windows(x[cut:], history, horizon)

    @staticmethod
    def _windows(x, history, horizon):
        w = x.unfold(0, history + horizon, 1)            # (n, channels, history + horizon)
        past = w[:, :, :history].flatten(1)
        target = w[:, 0, -1]
        return past.contiguous(), target.contiguous()

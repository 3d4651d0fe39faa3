import numpy as np


class StandardScaler:
    def fit(self, values):
        self.shift = values.mean(axis=0)
        self.scale = values.std(axis=0)
        return self

    def transform(self, values):
        return (values - self.shift) / self.scale

    def inverse(self, values, column):
        return values * self.scale[column] + self.shift[column]


class MinMaxScaler(StandardScaler):
    """Range of the fitted period with a small head-room on both sides."""

    def __init__(self, margin=0.1):
        self.margin = margin

    def fit(self, values):
        lo, hi = values.min(axis=0), values.max(axis=0)
        pad = self.margin * (hi - lo)
        self.shift = lo - pad
        self.scale = (hi - lo) + 2 * pad
        return self


def make_scaler(kind):
    if kind == "standard":
        return StandardScaler()
    if kind == "minmax":
        return MinMaxScaler()
    raise ValueError(f"unknown scaling {kind!r}")


def windows(series, lookback, horizon, target_col):
    n = len(series) - lookback - horizon + 1
    idx = np.arange(lookback)[None, :] + np.arange(n)[:, None]
    fut = np.arange(horizon)[None, :] + np.arange(n)[:, None] + lookback
    return series[idx].astype(np.float32), series[fut, target_col].astype(np.float32)

"""Windows over the hourly consumption of the district metering areas."""
from dataclasses import dataclass

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


@dataclass
class Scaler:
    mean: np.ndarray
    std: np.ndarray

    @classmethod
    def fit(cls, values):
        return cls(values.mean(0, keepdims=True), values.std(0, keepdims=True) + 1e-6)

    def transform(self, values):
        return (values - self.mean) / self.std


def load_series(path):
    blob = np.load(path)
    return blob["flow"].astype(np.float64), blob["hour"].astype(np.int64)


class WindowDataset(Dataset):
    def __init__(self, flow, hour, begin, end, context, horizon, stride):
        self.flow = torch.as_tensor(flow, dtype=torch.float32)
        phase = 2 * np.pi * hour / 24.0
        week = 2 * np.pi * (hour % 168) / 168.0
        calendar = np.stack([np.sin(phase), np.cos(phase), np.sin(week), np.cos(week)], 1)
        self.calendar = torch.as_tensor(calendar, dtype=torch.float32)
        self.context, self.horizon = context, horizon
        starts = np.arange(begin, end - context - horizon + 1, stride)
        self.items = [(int(s), area) for s in starts for area in range(flow.shape[1])]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        s, area = self.items[i]
        mid = s + self.context
        past = torch.cat([self.flow[s:mid, area, None], self.calendar[s:mid]], dim=1)
        return past.t().contiguous(), self.flow[mid:mid + self.horizon, area]


def build_loaders(path, cfg):
    flow, hour = load_series(path)
    cut = int(len(flow) * cfg["train_share"])
    scaler = Scaler.fit(flow[:cut])
    flow = scaler.transform(flow)
    kw = dict(context=cfg["context"], horizon=cfg["horizon"])
    train = WindowDataset(flow, hour, 0, cut, stride=cfg["train_stride"], **kw)
    valid = WindowDataset(flow, hour, cut, len(flow), stride=cfg["horizon"], **kw)
    return (DataLoader(train, batch_size=cfg["batch_size"], shuffle=True, drop_last=True),
            DataLoader(valid, batch_size=256))

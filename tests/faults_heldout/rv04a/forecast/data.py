"""Hourly feeder load: windows of history and the hours that follow."""
import csv
from datetime import datetime

import torch
from torch.utils.data import Dataset


def read_series(path):
    stamps, load, temp = [], [], []
    with open(path, newline="") as fh:
        for row in csv.DictReader(fh):
            stamps.append(datetime.fromisoformat(row["time"]))
            load.append(float(row["load_kw"]))
            temp.append(float(row["temp_c"]))
    return stamps, torch.tensor(load), torch.tensor(temp)


def calendar(stamps):
    hour = torch.tensor([s.hour for s in stamps]) * (2 * torch.pi / 24)
    weekend = torch.tensor([float(s.weekday() >= 5) for s in stamps])
    return torch.stack([hour.sin(), hour.cos(), weekend], dim=1)


class WindowSet(Dataset):
    def __init__(self, load, exog, history, horizon):
        self.load, self.exog = load, exog
        self.history, self.horizon = history, horizon

    def __len__(self):
        return len(self.load) - self.history - self.horizon + 1

    def __getitem__(self, i):
        j, k = i + self.history, i + self.history + self.horizon
        past = torch.cat([self.load[i:j, None], self.exog[i:j]], dim=1)
        return past, self.exog[j:k, 1:], self.load[j:k]


def build(path, history, horizon, val_hours):
    stamps, load, temp = read_series(path)
    cut = len(load) - val_hours
    load = (load - load[:cut].mean()) / load[:cut].std()
    temp = (temp - temp[:cut].mean()) / temp[:cut].std()
    exog = torch.cat([temp[:, None], calendar(stamps)], dim=1)
    fit = WindowSet(load[:cut], exog[:cut], history, horizon)
    # the first forecast of the hold-out period may look back at the end of the fit period
    val = WindowSet(load[cut - history:], exog[cut - history:], history, horizon)
    return fit, val

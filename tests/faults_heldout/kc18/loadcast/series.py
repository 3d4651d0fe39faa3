import csv
import math

import torch


def windows(path, lags=24):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    load = torch.tensor([float(r["load"]) for r in rows])
    temp = torch.tensor([float(r["temp"]) for r in rows])
    hour = torch.tensor([float(r["hour"]) for r in rows]) * 2 * math.pi / 24
    wend = torch.tensor([float(int(r["weekday"]) >= 5) for r in rows])
    past = load.unfold(0, lags, 1)[:-24]
    t = torch.arange(lags + 23, len(rows))  # forecast 24 h after the last lag
    extra = torch.stack([temp[t], hour[t].sin(), hour[t].cos(), (2 * hour[t]).sin(), wend[t], wend[t - 24]], 1)
    return torch.cat([past[: len(t)], extra], 1), load[t]

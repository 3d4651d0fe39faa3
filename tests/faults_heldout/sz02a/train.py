"""Day-ahead demand forecast for one distribution area.

Input: the last two days (demand, temperature) plus the calendar and the temperature of the
24 hours to predict. Output: demand of those 24 hours.
"""
import tomllib

import numpy as np
import pandas as pd
import torch
from torch import nn

HISTORY, HORIZON = 48, 24


def calendar(index):
    hour = index.hour.to_numpy() * (2 * np.pi / 24)
    weekend = (index.day_of_week.to_numpy() >= 5).astype(float)
    return np.stack([np.sin(hour), np.cos(hour), weekend], axis=1)


def windows(values, cal, start, stop):
    past, future, target = [], [], []
    for t in range(start + HISTORY, stop - HORIZON + 1):
        past.append(np.concatenate([values[t - HISTORY:t], cal[t - HISTORY:t]], axis=1))
        future.append(np.concatenate([values[t:t + HORIZON, 1:], cal[t:t + HORIZON]], axis=1))
        target.append(values[t:t + HORIZON, 0])
    return [torch.tensor(np.stack(a), dtype=torch.float32) for a in (past, future, target)]


class DayAhead(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(HISTORY * 5 + HORIZON * 4, hidden),
            nn.ReLU(),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Linear(hidden, HORIZON),
        )

    def forward(self, past, future):
        return self.net(torch.cat([past.flatten(1), future.flatten(1)], dim=1))


def mean_absolute_error(model, data, scale):
    model.eval()
    with torch.no_grad():
        return (model(data[0], data[1]) - data[2]).abs().mean().item() * scale


with open("settings.toml", "rb") as fh:
    cfg = tomllib.load(fh)
torch.manual_seed(cfg["seed"])
rng = np.random.default_rng(cfg["seed"])

df = pd.read_csv("demand.csv")
df.index = pd.to_datetime(df.pop("hour"), format="%Y-%m-%dT%H")
split = int(len(df) * 0.8)
raw = df[["mw", "temp"]].to_numpy(float)
mean, std = raw[:split].mean(0), raw[:split].std(0)
values, cal = (raw - mean) / std, calendar(df.index)
train = windows(values, cal, 0, split)
test = windows(values, cal, split, len(df))
naive = np.abs(raw[split + HISTORY:, 0] - raw[split + HISTORY - 24:-24, 0]).mean()
print(f"{len(train[0])} training windows, {len(test[0])} test windows, same hour yesterday: {naive:.1f} MW")

model = DayAhead(cfg["model"]["hidden"])
opt = torch.optim.SGD(model.parameters(), lr=cfg["optim"]["lr"], momentum=cfg["optim"]["momentum"], nesterov=True)
criterion = nn.SmoothL1Loss()

micro, parts = cfg["batching"]["micro_batch"], cfg["batching"]["micro_batches_per_step"]
divide_by = parts if cfg["batching"]["average_over_step"] else 1
updates = len(train[0]) // (micro * parts)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=cfg["optim"]["epochs"] * updates)

for epoch in range(1, cfg["optim"]["epochs"] + 1):
    model.train()
    order = torch.from_numpy(rng.permutation(len(train[0])))
    epoch_loss = 0.0
    for u in range(updates):
        opt.zero_grad()
        for p in range(parts):
            at = (u * parts + p) * micro
            idx = order[at:at + micro]
            loss = criterion(model(train[0][idx], train[1][idx]), train[2][idx])
            (loss / divide_by).backward()
            epoch_loss += loss.item()
        opt.step()
        schedule.step()
    print(f"epoch {epoch:2d}  loss {epoch_loss / (updates * parts):.4f}  test MAE {mean_absolute_error(model, test, std[0]):.1f} MW")

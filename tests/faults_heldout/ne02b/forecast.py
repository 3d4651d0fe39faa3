"""Day-ahead load forecast: 7 days of history + calendar -> next 24 hours."""
import csv
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

ROOT = Path(__file__).resolve().parent


@dataclass
class Settings:
    history: int
    horizon: int
    hidden: int
    batch_size: int
    epochs: int
    lr: float
    gamma: float
    interval: str
    val_days: int
    seed: int


def read_settings(path):
    raw = tomllib.loads(path.read_text())
    return Settings(**raw["window"], **raw["model"], **raw["train"], **raw["schedule"])


def read_series(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    load = np.array([float(r["load_mw"]) for r in rows], dtype=np.float32)
    temp = np.array([float(r["temp_c"]) for r in rows], dtype=np.float32)
    return load, temp


def windows(load, temp, hours, s):
    xs, ys = [], []
    for start in range(0, len(load) - s.history - s.horizon, 4):
        mid, end = start + s.history, start + s.history + s.horizon
        h = hours[mid]
        cal = [np.sin(2 * np.pi * h / 24), np.cos(2 * np.pi * h / 24),
               np.sin(2 * np.pi * h / 168), np.cos(2 * np.pi * h / 168)]
        xs.append(np.concatenate([load[start:mid], temp[mid:end], cal]))
        ys.append(load[mid:end])
    return torch.tensor(np.array(xs), dtype=torch.float32), torch.tensor(np.array(ys), dtype=torch.float32)


class Forecaster(nn.Module):
    def __init__(self, n_in, hidden, horizon):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, hidden), nn.ReLU(),
                                 nn.Linear(hidden, hidden), nn.ReLU(),
                                 nn.Linear(hidden, horizon))

    def forward(self, x):
        return self.net(x)


s = read_settings(ROOT / "settings.toml")
torch.manual_seed(s.seed)

load, temp = read_series(ROOT / "load.csv")
hours = np.arange(len(load))
cut = len(load) - 24 * s.val_days
mu, sd = load[:cut].mean(), load[:cut].std()
load_n = (load - mu) / sd
temp_n = (temp - temp[:cut].mean()) / temp[:cut].std()
x_tr, y_tr = windows(load_n[:cut], temp_n[:cut], hours[:cut], s)
x_va, y_va = windows(load_n[cut:], temp_n[cut:], hours[cut:], s)
naive = F.mse_loss(x_va[:, s.history - 168:s.history - 168 + s.horizon], y_va).sqrt().item() * sd
print(f"{len(x_tr)} train / {len(x_va)} val windows, weekly-naive rmse {naive:.1f} MW")

model = Forecaster(x_tr.shape[1], s.hidden, s.horizon)
opt = torch.optim.AdamW(model.parameters(), lr=s.lr, weight_decay=1e-2)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=s.gamma)

for epoch in range(s.epochs):
    model.train()
    total = 0.0
    for idx in torch.randperm(len(x_tr)).split(s.batch_size):
        opt.zero_grad(set_to_none=True)
        loss = F.mse_loss(model(x_tr[idx]), y_tr[idx])
        loss.backward()
        opt.step()
        if s.interval == "step":
            sched.step()
        total += loss.item() * len(idx)
    if s.interval == "epoch":
        sched.step()
    if epoch % 5 == 4:
        model.eval()
        with torch.no_grad():
            rmse = F.mse_loss(model(x_va), y_va).sqrt().item() * sd
        print(f"epoch {epoch + 1:3d}  train mse {total / len(x_tr):.4f}  val rmse {rmse:.1f} MW")

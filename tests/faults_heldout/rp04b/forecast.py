"""Six-hours-ahead load forecast for one district-heating substation."""
import csv
import tomllib

import numpy as np
import torch
from torch import nn

HIST = 24
AHEAD = 6


def load(path):
    hours, temp, load_mw = [], [], []
    with open(path) as fh:
        for rec in csv.DictReader(fh):
            hours.append(int(rec["hour"]))
            temp.append(float(rec["outdoor_temp"]))
            load_mw.append(float(rec["load"]))
    hours = np.array(hours)
    ang = 2 * np.pi * (hours % 24) / 24
    return np.stack([np.array(load_mw), np.array(temp), np.sin(ang), np.cos(ang)], axis=1).astype(np.float32)


def windows(series):
    xs, ys = [], []
    for t in range(HIST, len(series) - AHEAD):
        past = series[t - HIST:t]
        # the weather forecast for the target hour is known
        future = series[t + AHEAD - 1, 1:]
        xs.append(np.concatenate([past.ravel(), future]))
        ys.append(series[t + AHEAD - 1, 0])
    return torch.from_numpy(np.stack(xs)), torch.tensor(ys)


class Forecaster(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.rnn = nn.GRU(4, hidden, batch_first=True)
        self.out = nn.Sequential(nn.Linear(hidden + 3, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        past, future = x[:, : HIST * 4].view(-1, HIST, 4), x[:, HIST * 4:]
        h, _ = self.rnn(past)
        return self.out(torch.cat([h[:, -1], future], dim=1))[:, 0]


def main():
    with open("forecast.toml", "rb") as fh:
        cfg = tomllib.load(fh)
    torch.manual_seed(cfg["train"]["seed"])
    raw_train = load(cfg["data"]["train"])
    raw_valid = load(cfg["data"]["valid"])
    mu, sd = raw_train.mean(0), raw_train.std(0)
    x, y = windows((raw_train - mu) / sd)
    xv, yv = windows((raw_valid - mu) / sd)

    model = Forecaster(cfg["model"]["hidden"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["train"]["lr"])
    bs = cfg["train"]["batch"]
    for epoch in range(cfg["train"]["epochs"]):
        model.train()
        perm = torch.randperm(len(x))
        acc = 0.0
        for i in range(0, len(x), bs):
            idx = perm[i:i + bs]
            loss = nn.functional.smooth_l1_loss(model(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            acc += loss.item() * len(idx)
        model.eval()
        with torch.no_grad():
            pv = model(xv)
        mae = (pv - yv).abs().mean().item() * sd[0]
        vl = nn.functional.smooth_l1_loss(pv, yv).item()
        print(f"epoch {epoch}: train {acc / len(x):.4f} valid {vl:.4f} valid MAE {mae:.3f} MW")


if __name__ == "__main__":
    main()

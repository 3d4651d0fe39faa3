import csv
import math
import os
import sys

import numpy as np
import torch
from torch import nn

import settings

HERE = os.path.dirname(os.path.abspath(__file__))


def read_series(path):
    with open(path) as f:
        rows = [[float(v) for v in row] for row in list(csv.reader(f))[1:]]
    a = np.array(rows, dtype=np.float32)
    hour = a[:, 0] / 24 * 2 * math.pi
    weekend = (a[:, 1] >= 5).astype(np.float32)
    return np.stack([np.sin(hour), np.cos(hour), weekend, a[:, 2], a[:, 3]], 1)


def windows(series, length):
    xs = np.stack([series[i:i + length] for i in range(len(series) - length)])
    ys = series[length:, -1]
    return torch.from_numpy(xs), torch.from_numpy(ys.copy())


class Forecaster(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.rnn = nn.GRU(features, hidden, batch_first=True)
        self.out = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        h, _ = self.rnn(x)
        return self.out(h[:, -1]).squeeze(-1)


def make_scheduler(optimizer, cfg):
    if cfg["name"] == "exponential":
        return torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=cfg["gamma"])
    if cfg["name"] == "step":
        return torch.optim.lr_scheduler.StepLR(optimizer, cfg["step_size"], gamma=cfg["gamma"])
    raise ValueError(cfg["name"])


def main():
    cfg = settings.load(os.path.join(HERE, sys.argv[1] if len(sys.argv) > 1 else "experiment.yaml"))
    torch.manual_seed(cfg["seed"])
    series = read_series(os.path.join(HERE, cfg["data"]["csv"]))
    cut = int(len(series) * cfg["data"]["train_share"])
    mean, std = series[:cut].mean(0), series[:cut].std(0)
    scaled = (series - mean) / std
    xtr, ytr = windows(scaled[:cut], cfg["data"]["window"])
    xte, yte = windows(scaled[cut:], cfg["data"]["window"])

    net = Forecaster(xtr.shape[-1], cfg["model"]["hidden"])
    opt = torch.optim.Adam(net.parameters(), lr=cfg["train"]["lr"])
    sched = make_scheduler(opt, cfg["scheduler"])
    loss_fn = nn.MSELoss()
    bs = cfg["train"]["batch_size"]

    for epoch in range(cfg["train"]["epochs"]):
        net.train()
        losses = []
        for idx in torch.randperm(len(xtr)).split(bs):
            opt.zero_grad()
            loss = loss_fn(net(xtr[idx]), ytr[idx])
            loss.backward()
            opt.step()
            if cfg["scheduler"]["interval"] == "step":
                sched.step()
            losses.append(loss.item())
        if cfg["scheduler"]["interval"] == "epoch":
            sched.step()
        net.eval()
        with torch.no_grad():
            mae = (net(xte) - yte).abs().mean().item() * std[-1]
        print(f"epoch {epoch + 1:>2}: train mse {np.mean(losses):.4f}, test MAE {mae:.2f} MW")


if __name__ == "__main__":
    main()

"""Hourly departures at a bike station: Poisson rate from calendar and weather."""
import argparse
import math
from pathlib import Path

import numpy as np
import torch
from torch import nn

COLS = ["day", "hour", "weekday", "temp", "rain", "count"]


def features(t):
    h, w = 2 * math.pi * t[:, 1] / 24, t[:, 2]
    weekend = (w >= 5).float()
    cyc = [f(k * h) for k in (1, 2, 3) for f in (torch.sin, torch.cos)]
    cyc += [c * weekend for c in cyc]
    return torch.stack([*cyc, weekend, (t[:, 3] - 12) / 8, t[:, 4]], 1)


class Rate(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.body(x).squeeze(-1)          # log rate


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--table", type=Path, default=Path(__file__).with_name("departures.csv"))
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--lr", type=float, default=3e-3)
    a = p.parse_args()
    torch.manual_seed(31)
    t = torch.from_numpy(np.loadtxt(a.table, delimiter=",", skiprows=1, dtype=np.float32))
    x, y = features(t), t[:, -1]
    last = t[:, 0].max() - 50                     # the last fifty days are held out
    tr, va = t[:, 0] <= last, t[:, 0] > last
    xt, yt, xv, yv = x[tr], y[tr], x[va], y[va]

    net = Rate(x.size(1))
    nn.init.constant_(net.body[-1].bias, math.log(yt.mean()))
    nll = nn.PoissonNLLLoss(log_input=True)       # drops log(y!), so the value goes below zero
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 2 * a.lr, total_steps=a.epochs * math.ceil(len(xt) / a.batch))
    flat = nll(yt.mean().log().expand_as(yv), yv).item()
    print(f"{len(xt)} hours for training, {len(xv)} held out; constant rate scores {flat:.3f}")
    for epoch in range(a.epochs):
        net.train()
        trace = []
        for idx in torch.randperm(len(xt)).split(a.batch):
            loss = nll(net(xt[idx]), yt[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            trace.append(loss.item())
        net.eval()
        with torch.no_grad():
            lv = net(xv)
            pearson = ((yv - lv.exp()) ** 2 / lv.exp()).mean().item()
        tail = " ".join(f"{v:8.2f}" for v in trace[-4:])
        print(f"{epoch:2d} train {np.mean(trace):8.3f} valid {nll(lv, yv).item():8.3f} dispersion {pearson:.2f} last batches {tail}")


if __name__ == "__main__":
    main()

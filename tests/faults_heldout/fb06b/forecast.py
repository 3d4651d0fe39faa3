"""One-hour-ahead forecast of bike counts at a single station.

Every row of the design matrix describes hour t; columns are past counts (see --lags, in hours),
the weather forecast issued for hour t and calendar encodings.  Target: log-count at hour t.
"""
import argparse
import csv
import math
from pathlib import Path

import numpy as np
import torch
from torch import nn

FILE = Path(__file__).resolve().parent / "counts.csv"


def read_counts():
    with FILE.open() as fh:
        rows = list(csv.DictReader(fh))
    col = lambda name: np.array([float(r[name]) for r in rows])
    return col("hour"), col("weekday"), col("temp_forecast"), col("rain_forecast"), np.log1p(col("count"))


def design(lags):
    hour, weekday, temp, rain, y = read_counts()
    start = max(max(lags), 168)
    t = np.arange(start, len(y))
    cols = [y[t - k] for k in lags]
    cols += [temp[t], rain[t]]
    cols += [np.sin(2 * math.pi * hour[t] / 24), np.cos(2 * math.pi * hour[t] / 24), (weekday[t] >= 5).astype(float)]
    return np.stack(cols, axis=1), y[t]


class Standardizer:
    def fit(self, a):
        self.m, self.s = a.mean(axis=0), a.std(axis=0) + 1e-9
        return self

    def __call__(self, a):
        return torch.tensor((a - self.m) / self.s, dtype=torch.float32)

    def invert(self, z):
        return z * self.s + self.m


def make_net(n_in, width):
    return nn.Sequential(
        nn.Linear(n_in, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 1), nn.Flatten(0)
    )


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--lags", type=int, nargs="+", default=[1, 2, 3, 24, 168])
    p.add_argument("--width", type=int, default=48)
    p.add_argument("--epochs", type=int, default=25)
    p.add_argument("--lr", type=float, default=5e-4)
    p.add_argument("--batch", type=int, default=64)
    opt = p.parse_args()

    torch.manual_seed(314)
    X, y = design(opt.lags)
    cut = int(0.8 * len(y))
    sx, sy = Standardizer().fit(X[:cut]), Standardizer().fit(y[:cut])
    Xtr, ytr, Xte, yte = sx(X[:cut]), sy(y[:cut]), sx(X[cut:]), sy(y[cut:])
    print(f"{cut} training hours, {len(y) - cut} test hours, {X.shape[1]} columns")

    net = make_net(X.shape[1], opt.width)
    optim = torch.optim.RMSprop(net.parameters(), lr=opt.lr, alpha=0.95)
    huber = nn.SmoothL1Loss(beta=0.5)
    n_batches = math.ceil(cut / opt.batch)
    decay = torch.optim.lr_scheduler.LinearLR(optim, 1.0, 0.05, total_iters=opt.epochs * n_batches)

    for ep in range(opt.epochs):
        net.train()
        tot = 0.0
        for idx in torch.randperm(cut).split(opt.batch):
            loss = huber(net(Xtr[idx]), ytr[idx])
            optim.zero_grad()
            loss.backward()
            optim.step()
            decay.step()
            tot += loss.item() * len(idx)
        if ep % 5 == 4 or ep == 0:
            net.eval()
            with torch.no_grad():
                z = net(Xte)
            r2 = 1 - ((z - yte) ** 2).sum() / ((yte - yte.mean()) ** 2).sum()
            pred, true = np.expm1(sy.invert(z.numpy())), np.expm1(y[cut:])
            print(f"ep {ep + 1:3d}  loss {tot / cut:.4f}  test R2 {r2:.4f}  test MAE {np.abs(pred - true).mean():.2f} bikes/h")


if __name__ == "__main__":
    main()

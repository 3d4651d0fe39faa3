"""One-hour-ahead load forecasting for a single feeder."""
import argparse
import csv
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).resolve().parent


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--series", default="feeder_07.csv")
    p.add_argument("--window", type=int, default=36)
    p.add_argument("--hidden", type=int, default=32)
    p.add_argument("--epochs", type=int, default=8)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--seed", type=int, default=11)
    return p.parse_args()


def read_series(path):
    with open(path) as fh:
        rows = list(csv.DictReader(fh))
    load = np.array([float(r["mw"]) for r in rows], dtype=np.float32)
    hour = np.array([int(r["hour"]) for r in rows])
    return load, hour


def make_windows(load, hour, window):
    ang = 2 * np.pi * hour / 24
    chan = np.stack([load, np.sin(ang), np.cos(ang)], 1).astype(np.float32)
    idx = np.arange(len(load) - window)
    x = np.stack([chan[i:i + window] for i in idx])
    y = load[window:]
    return torch.from_numpy(x), torch.from_numpy(y.copy())


class Forecaster(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.rnn = nn.GRU(n_in, hidden, batch_first=True)
        self.out = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        h, _ = self.rnn(x)
        return self.out(h[:, -1]).squeeze(-1)


def main():
    a = parse_args()
    torch.manual_seed(a.seed)
    load, hour = read_series(HERE / a.series)
    cut = int(0.8 * len(load))
    mu, sd = load[:cut].mean(), load[:cut].std()
    z = (load - mu) / sd
    xtr, ytr = make_windows(z[:cut], hour[:cut], a.window)
    xva, yva = make_windows(z[cut:], hour[cut:], a.window)
    naive = (xva[:, -24, 0] - yva).abs().mean().item() * sd
    print(f"{len(xtr)} train / {len(xva)} val windows; day-before MAE {naive:.2f} MW")

    net = Forecaster(xtr.shape[-1], a.hidden)
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    crit = nn.MSELoss()
    for ep in range(1, a.epochs + 1):
        net.train()
        order = torch.randperm(len(xtr))
        run = 0.0
        for sel in order.split(a.batch):
            loss = crit(net(xtr[sel]), ytr[sel])
            opt.zero_grad()
            loss.backward()
            opt.step()
            run += loss.item() * len(sel)
        net.eval()
        with torch.no_grad():
            pv = net(xva)
        mse = crit(pv, yva).item()
        mae = (pv - yva).abs().mean().item() * sd
        print(f"ep {ep:2d}  train mse {run / len(xtr):.4f}  val mse {mse:.4f}  val MAE {mae:.2f} MW")


if __name__ == "__main__":
    main()

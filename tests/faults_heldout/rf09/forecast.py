"""Hourly load forecaster (168 h in, 24 h out)."""
import argparse

import numpy as np
import torch
from torch import nn


class Mixer(nn.Module):
    def __init__(self, past=168, ahead=24, width=96):
        super().__init__()
        self.inp = nn.Linear(past, width)
        self.a = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU(), nn.Linear(width, width))
        self.b = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU(), nn.Linear(width, width))
        self.out = nn.Linear(width, ahead)

    def forward(self, x):
        last = x[:, -24:].mean(1, keepdim=True)
        h = self.inp(x - last)
        h = h + self.a(h)
        h = h + self.b(h)
        return self.out(h) + last


def cut(series, past, ahead, start, stop, stride):
    xs, ys = [], []
    for s in range(start, stop - past - ahead + 1, stride):
        xs.append(series[s:s + past])
        ys.append(series[s + past:s + past + ahead])
    x, y = np.stack(xs), np.stack(ys)
    return (torch.tensor(a.transpose(0, 2, 1).reshape(-1, a.shape[1]), dtype=torch.float32) for a in (x, y))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--lr", type=float, default=5e-5)
    ap.add_argument("--epochs", type=int, default=18)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--dtype", default="bfloat16")
    a = ap.parse_args()
    dtype = getattr(torch, a.dtype)

    torch.manual_seed(5)
    series = np.loadtxt("load.csv", delimiter=",")
    cut_at = 1000
    mu, sd = series[:cut_at].mean(0), series[:cut_at].std(0)
    series = (series - mu) / sd
    xtr, ytr = cut(series, 168, 24, 0, cut_at, 3)
    xte, yte = cut(series, 168, 24, cut_at - 168, len(series), 6)

    net = Mixer().to(dtype)
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    for ep in range(a.epochs):
        net.train()
        tot = 0.0
        for idx in torch.randperm(len(xtr)).split(a.batch):
            pred = net(xtr[idx].to(dtype))
            loss = nn.functional.mse_loss(pred.float(), ytr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(idx)
        net.eval()
        with torch.no_grad():
            err = nn.functional.mse_loss(net(xte.to(dtype)).float(), yte).item()
        print(f"epoch {ep:2d} train {tot / len(xtr):.4f} holdout {err:.4f}")


if __name__ == "__main__":
    main()

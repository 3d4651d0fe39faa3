"""Six-hours-ahead forecaster for an hourly load curve (dilated causal convolutions)."""
import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ap = argparse.ArgumentParser()
ap.add_argument("--window", type=int, default=48)
ap.add_argument("--channels", type=int, default=16)
ap.add_argument("--lr", type=float, default=3e-4)
ap.add_argument("--batch-size", type=int, default=64)
ap.add_argument("--epochs", type=int, default=40)
ap.add_argument("--seed", type=int, default=21)
args = ap.parse_args()

torch.manual_seed(args.seed)
series = np.loadtxt(Path(__file__).parent / "load.csv", skiprows=1, dtype=np.float32)
cut = int(0.8 * len(series))
mu, sd = series[:cut].mean(), series[:cut].std()
series = (series - mu) / sd


def windows(s):
    s = torch.from_numpy(s)
    w = s.unfold(0, args.window + 6, 1)
    return w[:, None, :-6].contiguous(), w[:, -1:].contiguous()


train = TensorDataset(*windows(series[:cut]))
xv, yv = windows(series[cut:])


class Causal(nn.Module):
    def __init__(self, cin, cout, dilation):
        super().__init__()
        self.pad = nn.ConstantPad1d((2 * dilation, 0), 0.0)
        self.conv = nn.Conv1d(cin, cout, 3, dilation=dilation)
        self.skip = nn.Conv1d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x):
        return self.skip(x) + torch.relu(self.conv(self.pad(x)))


class Forecaster(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.body = nn.Sequential(Causal(1, c, 1), Causal(c, c, 2), Causal(c, c, 4), Causal(c, c, 8))
        self.out = nn.Linear(c, 1)

    def forward(self, x):
        return self.out(self.body(x)[:, :, -1])


model = Forecaster(args.channels)
opt = torch.optim.Adam(model.parameters(), lr=args.lr)
loader = DataLoader(train, batch_size=args.batch_size, shuffle=True)

step = 0
for epoch in range(args.epochs):
    for xb, yb in loader:
        loss = nn.functional.mse_loss(model(xb), yb)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        step += 1
        if step % 10 == 0:
            print(f"step {step:5d} mse {loss.item():.4f}")
    with torch.no_grad():
        err = model(xv) - yv
    print(f"[epoch {epoch}] val rmse {err.pow(2).mean().sqrt().item():.4f}  r2 {1 - (err.pow(2).mean() / yv.var()).item():.4f}")

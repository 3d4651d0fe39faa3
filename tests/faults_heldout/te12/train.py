"""Power curve of a turbine with a band: mean and spread of the normalised output."""
import argparse
import math

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class PowerCurve(nn.Module):
    def __init__(self, n, hidden=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.mean = nn.Linear(hidden, 1)
        self.raw_var = nn.Linear(hidden, 1)
        for lin in (self.mean, self.raw_var):
            nn.init.zeros_(lin.weight)
            nn.init.zeros_(lin.bias)

    def forward(self, x):
        z = self.trunk(x)
        var = nn.functional.softplus(self.raw_var(z)) ** 2 + 1e-5
        return self.mean(z).squeeze(1), var.squeeze(1)


def read(path):
    df = pd.read_csv(path)
    rad = np.deg2rad(df["direction"])
    x = np.stack([df["speed"], np.sin(rad), np.cos(rad), np.sin(2 * rad), np.cos(2 * rad), df["density"]], 1)
    return x.astype("float32"), df["power_frac"].to_numpy("float32")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=50)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=9)
    a = ap.parse_args()
    torch.manual_seed(a.seed)

    x, y = read("data/turbine_t14.csv")
    k = int(0.8 * len(x))
    m, s = x[:k].mean(0), x[:k].std(0)
    x, y = torch.from_numpy((x - m) / s), torch.from_numpy(y)
    train = DataLoader(TensorDataset(x[:k], y[:k]), a.batch, shuffle=True)

    model = PowerCurve(x.shape[1])
    nll = nn.GaussianNLLLoss()
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs * len(train))
    for epoch in range(a.epochs):
        model.train()
        tot = 0.0
        for xb, yb in train:
            mu, var = model(xb)
            loss = nll(mu, yb, var)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            sched.step()
            tot += loss.item() * len(yb)
        model.eval()
        with torch.no_grad():
            mu, var = model(x[k:])
            held = nll(mu, y[k:], var).item()
            inside = ((y[k:] - mu).abs() < 1.645 * var.sqrt()).float().mean().item()
            rmse = (mu - y[k:]).pow(2).mean().sqrt().item()
        print(f"epoch {epoch:2d} nll {tot / k:+.4f} held-out {held:+.4f} rmse {rmse:.4f} inside 90% band {inside:.3f}")
    base = 0.5 * math.log(y[:k].var().item()) + 0.5
    print(f"constant band nll {base:+.4f}")


if __name__ == "__main__":
    main()

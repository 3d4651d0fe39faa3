"""Hourly building load from weather and use."""
import numpy as np
import torch
from torch import nn

from table import read_meter, standardise

FEATURES = ["hour_sin", "hour_cos", "season_sin", "season_cos", "temp", "occupancy", "area", "wind"]


def features(t):
    t = dict(t)
    t["hour_sin"], t["hour_cos"] = np.sin(2 * np.pi * t["hour"] / 24), np.cos(2 * np.pi * t["hour"] / 24)
    year = (t["ts"] / 86400) % 365.25 / 365.25
    t["season_sin"], t["season_cos"] = np.sin(2 * np.pi * year), np.cos(2 * np.pi * year)
    return np.stack([t[f] for f in FEATURES], 1)


class LoadNet(nn.Module):
    def __init__(self, d, h=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh(), nn.Linear(h, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


def main():
    torch.manual_seed(0)
    t = read_meter()
    x, y = features(t), t["load"]
    order = np.random.default_rng(1).permutation(len(y))
    tr, va = order[:2400], order[2400:]
    ymu, ysd = y[tr].mean(), y[tr].std()
    xtr, xva = (torch.tensor(a, dtype=torch.float32) for a in standardise(x[tr], x[va]))
    ytr, yva = (torch.tensor((y[i] - ymu) / ysd, dtype=torch.float32) for i in (tr, va))

    net = LoadNet(x.shape[1])
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    epochs = 40
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for ep in range(epochs):
        net.train()
        total = 0.0
        for idx in torch.randperm(len(xtr)).split(64):
            loss = nn.functional.mse_loss(net(xtr[idx]), ytr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        sched.step()
        if ep % 5 == 4:
            net.eval()
            with torch.no_grad():
                mse = nn.functional.mse_loss(net(xva), yva).item()
            print(f"epoch {ep + 1:2d} train mse {total / len(xtr):.4f} val R2 {1 - mse / yva.var().item():.4f}")


if __name__ == "__main__":
    main()

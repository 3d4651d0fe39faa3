"""Shower vs. track classification from simulated calorimeter hits (summary features), highway network."""
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn


@dataclass
class HighwayConfig:
    width: int = 32
    layers: int = 4
    transfer_bias: float = -20.0
    epochs: int = 25
    batch: int = 100
    lr: float = 0.1
    momentum: float = 0.9
    seed: int = 13


def simulate(n, rng):
    """Hits around a random axis: tracks have one narrow core, showers a ring whose radius grows with energy."""
    label = rng.integers(0, 2, n)
    energy = rng.gamma(3.0, 1.0, n)
    angle = rng.uniform(0, 2 * np.pi, n)
    radius = np.where(label == 1, 1.2 + 0.25 * energy, 0.5) * rng.lognormal(0, 0.12, n)
    cx, cy = radius * np.cos(angle), radius * np.sin(angle)
    lean = rng.normal(0, 1, n)
    extra = rng.normal(0, 1, (n, 3))
    feats = np.column_stack([cx + 0.1 * lean, cy - 0.1 * lean, energy, lean, extra])
    return feats.astype(np.float32), label.astype(np.int64)


class HighwayLayer(nn.Module):
    def __init__(self, width, transfer_bias):
        super().__init__()
        self.candidate = nn.Linear(width, width)
        self.transfer = nn.Linear(width, width)
        nn.init.constant_(self.transfer.bias, transfer_bias)

    def forward(self, x):
        t = torch.sigmoid(self.transfer(x))
        return t * torch.relu(self.candidate(x)) + (1 - t) * x


class HighwayNet(nn.Module):
    def __init__(self, n_in, c):
        super().__init__()
        self.embed = nn.Linear(n_in, c.width)
        self.stack = nn.Sequential(*[HighwayLayer(c.width, c.transfer_bias) for _ in range(c.layers)])
        self.readout = nn.Linear(c.width, 2)

    def forward(self, x):
        return self.readout(self.stack(self.embed(x)))


def main():
    c = HighwayConfig()
    torch.manual_seed(c.seed)
    feats, label = simulate(6000, np.random.default_rng(c.seed))
    feats = (feats - feats[:4500].mean(0)) / feats[:4500].std(0)
    x, y = torch.from_numpy(feats), torch.from_numpy(label)
    xt, yt, xv, yv = x[:4500], y[:4500], x[4500:], y[4500:]
    net = HighwayNet(x.shape[1], c)
    opt = torch.optim.SGD(net.parameters(), lr=c.lr, momentum=c.momentum)
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, [15, 21], gamma=0.3)
    for epoch in range(c.epochs):
        net.train()
        total = 0.0
        for idx in torch.randperm(len(xt)).split(c.batch):
            loss = nn.functional.cross_entropy(net(xt[idx]), yt[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        sched.step()
        net.eval()
        with torch.no_grad():
            acc = (net(xv).argmax(1) == yv).float().mean().item()
        print(f"epoch {epoch + 1:2d}: loss {total / len(xt):.4f}  val acc {acc:.3f}")


if __name__ == "__main__":
    main()

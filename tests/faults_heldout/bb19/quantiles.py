"""Delivery time in seconds: the 10 %, 50 % and 90 % quantile with one network (pinball loss)."""
import csv

import numpy as np
import torch
from torch import nn

QUANTILES = torch.tensor([0.1, 0.5, 0.9])


def features(row):
    hour, day = int(row["hour"]), int(row["weekday"])
    rush = float(day < 5 and (7 <= hour <= 9 or 16 <= hour <= 18))
    zone = [float(int(row["zone"]) == z) for z in range(5)]
    return [float(row["km"]), hour / 24, float(day >= 5), rush, float(row["rain"]), float(row["kg"])] + zone


with open("deliveries.csv", newline="") as fh:
    rows = list(csv.DictReader(fh))
X = np.array([features(r) for r in rows], dtype=np.float32)
y = np.array([float(r["seconds"]) for r in rows], dtype=np.float32)

rng = np.random.default_rng(0)
torch.manual_seed(0)
perm = rng.permutation(len(y))
train, test = perm[:4000], perm[4000:]
mean, std = X[train].mean(0), X[train].std(0)
X = torch.from_numpy((X - mean) / std)
y = torch.from_numpy(y)


class QuantileNet(nn.Module):
    """Predicts the lowest quantile and positive gaps, so that quantiles never cross. Output unit: seconds."""

    def __init__(self, d, centre, unit, hidden=64):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 3))
        self.register_buffer("centre", centre)
        self.register_buffer("unit", unit)

    def forward(self, x):
        h = self.body(x)
        gaps = nn.functional.softplus(h[:, 1:]).cumsum(dim=1)
        return self.centre + self.unit * torch.cat([h[:, :1], h[:, :1] + gaps], dim=1)


def pinball(pred, target):
    err = target.unsqueeze(1) - pred
    return torch.maximum(QUANTILES * err, (QUANTILES - 1) * err).sum(dim=1).mean()


net = QuantileNet(X.shape[1], y[train].median(), y[train].std())
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[16, 23], gamma=0.25)

with torch.no_grad():
    constant = torch.quantile(y[train], QUANTILES).expand(len(test), 3)
    print(f"constant quantiles: test pinball {pinball(constant, y[test]):.1f} s")
for epoch in range(1, 29):
    net.train()
    total = 0.0
    for batch in torch.from_numpy(rng.permutation(train)).split(100):
        loss = pinball(net(X[batch]), y[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(batch)
    scheduler.step()
    if epoch % 4 == 0:
        net.eval()
        with torch.no_grad():
            q = net(X[test])
        cover = (y[test].unsqueeze(1) <= q).float().mean(0)
        print(f"epoch {epoch:2d}  train {total / len(train):7.2f}  test {pinball(q, y[test]):7.2f}  "
              f"share below q10/q50/q90: {cover[0]:.2f} {cover[1]:.2f} {cover[2]:.2f}")

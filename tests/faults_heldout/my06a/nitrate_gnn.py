#!/usr/bin/env python
"""Nitrate (mg/l) at river stations from catchment descriptors of the station and of its neighbours."""
import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

p = argparse.ArgumentParser()
p.add_argument("--hidden", type=int, default=16)
p.add_argument("--dropout", type=float, default=0.1)
p.add_argument("--weight-decay", type=float, default=0.02)
p.add_argument("--lr", type=float, default=0.01)
p.add_argument("--epochs", type=int, default=100)
p.add_argument("--seed", type=int, default=3)
args = p.parse_args()
torch.manual_seed(args.seed)


class LogCosh(nn.Module):
    def forward(self, pred, target):
        e = pred - target
        return (e + F.softplus(-2.0 * e) - float(np.log(2.0))).mean()


class SageLayer(nn.Module):
    """own features and the mean of the neighbours, each with its own weight"""

    def __init__(self, d_in, d_out):
        super().__init__()
        self.own = nn.Linear(d_in, d_out)
        self.near = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x, walk):
        return self.own(x) + self.near(walk @ x)


class StationNet(nn.Module):
    def __init__(self, d_in, hidden, dropout):
        super().__init__()
        self.conv1, self.conv2 = SageLayer(d_in, hidden), SageLayer(hidden, hidden)
        self.head = nn.Linear(hidden, 1)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, walk):
        h = self.drop(F.relu(self.conv1(x, walk)))
        h = self.drop(F.relu(self.conv2(h, walk)))
        return self.head(h).squeeze(-1)


def read_stations(path):
    with open(path) as fh:
        rows = [line.strip().split(",") for line in fh][1:]
    part = np.array([r[0] for r in rows])
    values = torch.tensor([[float(v) for v in r[1:]] for r in rows])
    return values[:, 1:], values[:, 0], {s: torch.from_numpy(part == s) for s in ("train", "val", "test")}


def read_walk(path, n):
    adj = torch.zeros(n, n)
    for a, b in np.loadtxt(path, delimiter=",", dtype=int):
        adj[a, b] = adj[b, a] = 1.0
    return adj / adj.sum(1, keepdim=True).clamp(min=1)


x, y, part = read_stations("stations.csv")
walk = read_walk("reaches.csv", len(x))
x = (x - x[part["train"]].mean(0)) / x[part["train"]].std(0)
mu, sd = y[part["train"]].mean(), y[part["train"]].std()

model = StationNet(x.shape[1], args.hidden, args.dropout)
criterion = LogCosh()
optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
target = (y - mu) / sd


@torch.no_grad()
def rmse(name):
    model.eval()
    pred = model(x, walk) * sd + mu
    return (pred - y)[part[name]].pow(2).mean().sqrt().item()


for epoch in range(1, args.epochs + 1):
    model.train()
    optimizer.zero_grad()
    loss = criterion(model(x, walk)[part["train"]], target[part["train"]])
    loss.backward()
    optimizer.step()
    scheduler.step()
    if epoch % max(args.epochs // 12, 1) == 0:
        print(f"epoch {epoch:4d}  loss {loss.item():.4f}  rmse train {rmse('train'):.3f}  val {rmse('val'):.3f}")

print(f"test rmse {rmse('test'):.3f} mg/l (std {y[part['test']].std():.3f}, {sum(q.numel() for q in model.parameters())} weights)")

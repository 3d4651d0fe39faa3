#!/usr/bin/env python
"""Train a neural emulator of the counter-flow exchanger model (hot outlet temperature)."""
import argparse
import csv
import math
import os

import torch
import torch.nn as nn

p = argparse.ArgumentParser()
p.add_argument("--table", default="exchanger.csv")
p.add_argument("--epochs", type=int, default=50)
p.add_argument("--batch", type=int, default=32)
p.add_argument("--lr", type=float, default=4e-4)
p.add_argument("--hidden", type=int, default=64)
p.add_argument("--param-dtype", default="float32", choices=["float32", "bfloat16"])
p.add_argument("--seed", type=int, default=3)
args = p.parse_args()

torch.manual_seed(args.seed)
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, args.table)) as f:
    rows = [[float(v) for v in r] for r in list(csv.reader(f))[1:]]
data = torch.tensor(rows)
perm = torch.randperm(len(data), generator=torch.Generator().manual_seed(args.seed))
train, test = data[perm[:1200]], data[perm[1200:]]
mean, std = train.mean(0), train.std(0)
x, y = ((train - mean) / std).split([5, 1], 1)
xt, yt = ((test - mean) / std).split([5, 1], 1)
scale_k = std[-1].item()

dtype = getattr(torch, args.param_dtype)
h = args.hidden
model = nn.Sequential(nn.Linear(5, h), nn.GELU(), nn.Linear(h, h), nn.GELU(), nn.Linear(h, h), nn.GELU(), nn.Linear(h, 1))
model.to(dtype)
x, xt = x.to(dtype), xt.to(dtype)

steps = args.epochs * math.ceil(len(x) / args.batch)
opt = torch.optim.Adam(model.parameters(), lr=args.lr)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 100) * 0.5 * (1 + math.cos(math.pi * s / steps)))

for epoch in range(args.epochs):
    model.train()
    order = torch.randperm(len(x))
    acc = 0.0
    for i in range(0, len(x), args.batch):
        j = order[i : i + args.batch]
        loss = nn.functional.mse_loss(model(x[j]).float(), y[j])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        acc += loss.item() * len(j)
    if (epoch + 1) % 5 == 0:
        model.eval()
        with torch.no_grad():
            err = (model(xt).float() - yt) * scale_k
        print(f"epoch {epoch + 1:3d} | train {acc / len(x):.5f} | test rmse {err.pow(2).mean().sqrt():.3f} K | max {err.abs().max():.2f} K")

#!/usr/bin/env python
# Daily discharge at gauge 0417 from the rain and temperature of the last weeks.
import argparse
import os

import numpy as np
import pandas as pd
import torch
import torch.nn as nn

p = argparse.ArgumentParser()
p.add_argument("--data", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "data"))
p.add_argument("--window", type=int, default=32)
p.add_argument("--epochs", type=int, default=14)
p.add_argument("--batch", type=int, default=32)
p.add_argument("--lr", type=float, default=3e-3)
p.add_argument("--hidden", type=int, default=16)
p.add_argument("--seed", type=int, default=5)
args = p.parse_args()

rng = np.random.default_rng(args.seed)
torch.manual_seed(args.seed)


def read(name):
    return pd.read_csv(os.path.join(args.data, name), parse_dates=["date"])


stations = read("stations.csv")
gauge = read("gauge_0417.csv")
day = stations["date"].dt.day_of_year.to_numpy() * 2 * np.pi / 365.25
rain = np.log1p(stations.filter(like="rain_").to_numpy())
forcing = np.column_stack([rain, stations["temp"], np.sin(day), np.cos(day)])
flow = np.log(gauge["discharge_m3s"].to_numpy())

# the last fifth of the record is kept for validation
cut = int(0.8 * len(forcing))
f_mean, f_std = forcing[:cut].mean(0), forcing[:cut].std(0)
q_mean, q_std = flow[:cut].mean(), flow[:cut].std()
forcing = torch.tensor((forcing - f_mean) / f_std, dtype=torch.float32)
target = torch.tensor((flow - q_mean) / q_std, dtype=torch.float32)

w = args.window
ends_train = np.arange(w - 1, cut)
ends_val = np.arange(cut + w - 1, len(forcing))


def windows(ends):
    return torch.stack([forcing[e - w + 1: e + 1] for e in ends]), target[torch.as_tensor(ends)]


class Runoff(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.rnn = nn.GRU(inputs, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        h, _ = self.rnn(x)
        return self.out(h[:, -1]).squeeze(-1)


net = Runoff(forcing.shape[1], args.hidden)
optim = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=0.05)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optim, args.epochs, eta_min=args.lr * 0.02)
x_val, y_val = windows(ends_val)


def validate():
    net.eval()
    with torch.no_grad():
        return net(x_val)


for epoch in range(args.epochs):
    net.train()
    order = rng.permutation(ends_train)
    losses = []
    for i in range(0, len(order), args.batch):
        xb, yb = windows(order[i:i + args.batch])
        loss = nn.functional.mse_loss(net(xb), yb)
        optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optim.step()
        losses.append(loss.item())
    schedule.step()
    val = nn.functional.mse_loss(validate(), y_val).item()
    print(f"{epoch + 1:3d}  train {np.mean(losses):.4f}  val {val:.4f}")

sim, obs = validate(), y_val
nse = 1 - ((sim - obs) ** 2).sum() / ((obs - obs.mean()) ** 2).sum()
print(f"Nash-Sutcliffe efficiency (log discharge), last {len(obs)} days: {nse.item():.3f}")

"""Harbour water level, 15 minute samples: next-step model and operational hindcast."""
import argparse
import csv

import torch
import torch.nn.functional as F

from tcn import TCN

p = argparse.ArgumentParser()
p.add_argument("--window", type=int, default=192)
p.add_argument("--updates", type=int, default=600)
p.add_argument("--batch", type=int, default=32)
p.add_argument("--lr", type=float, default=3e-3)
p.add_argument("--horizon", type=int, default=8, help="steps of the hindcast")
p.add_argument("--seed", type=int, default=1)
a = p.parse_args()
torch.manual_seed(a.seed)

with open("harbour_level.csv") as f:
    level = torch.tensor([float(r["level_m"]) for r in csv.DictReader(f)])
n_train = int(0.8 * len(level))
mean, std = level[:n_train].mean(), level[:n_train].std()
z = (level - mean) / std
train, test = z[:n_train], z[n_train:]

model = TCN()
opt = torch.optim.Adam(model.parameters(), lr=a.lr)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.updates)


@torch.no_grad()
def hindcast(n_origins=120):
    """Issues forecasts from the history alone, as the operator would, and compares with the record."""
    model.eval()
    origins = torch.linspace(a.window, len(test) - a.horizon - 1, n_origins).long().tolist()
    hist = torch.stack([test[o - a.window:o] for o in origins])
    truth = torch.stack([test[o:o + a.horizon] for o in origins])
    last = hist[:, -1:]
    steps = []
    for _ in range(a.horizon):
        nxt = model(hist)[:, -1:]
        steps.append(nxt)
        hist = torch.cat([hist[:, 1:], nxt], 1)
    err = (torch.cat(steps, 1) - truth) * std
    persistence = (last - truth) * std
    model.train()
    rms = lambda e: e.square().mean(0).sqrt()
    return rms(err), rms(persistence)


avg = 0.0
for it in range(1, a.updates + 1):
    start = torch.randint(len(train) - a.window - 1, (a.batch,)).tolist()
    w = torch.stack([train[s:s + a.window + 1] for s in start])
    pred = model(w[:, :-1])
    loss = F.mse_loss(pred[:, 40:], w[:, 41:])
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    avg += loss.item() / 100
    if it % 100 == 0:
        e, q = hindcast()
        print(f"{it:5d}  loss {avg:.5f}  rms +15min {100 * e[0]:.1f} cm (persistence {100 * q[0]:.1f})  "
              f"+{15 * a.horizon}min {100 * e[-1]:.1f} cm (persistence {100 * q[-1]:.1f})")
        avg = 0.0

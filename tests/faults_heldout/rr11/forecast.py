#!/usr/bin/env python
import torch
from torch import nn

from windows import LoadSeries

torch.manual_seed(7)

STEPS = 1500
BATCH = 48

series = LoadSeries("substation.csv", seed=7)
x_test, y_test = series.holdout()

net = nn.Sequential(
    nn.Linear(x_test.shape[1], 128), nn.ReLU(),
    nn.Linear(128, 64), nn.ReLU(),
    nn.Linear(64, series.ahead),
)
opt = torch.optim.AdamW(net.parameters(), lr=1.5e-3, weight_decay=1e-3)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=1.5e-3, total_steps=STEPS)


def mae_mw():
    with torch.no_grad():
        return (net(x_test) - y_test).abs().mean().item() * series.std


def seasonal_naive():
    return (x_test[:, :24] - y_test).abs().mean().item() * series.std


print(f"same day of last week: MAE {seasonal_naive():.2f} MW")
smooth = None
for step in range(1, STEPS + 1):
    x, y = series.sample(BATCH)
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    smooth = loss.item() if smooth is None else 0.98 * smooth + 0.02 * loss.item()
    if step % 150 == 0:
        print(f"{step:5d} loss {smooth:.5f}  hold-out MAE {mae_mw():.2f} MW")

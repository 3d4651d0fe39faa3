"""Forecast the electrical load of a greenhouse from the last two days of readings."""
import math

import numpy as np
import torch
from torch import nn

from windows import load_table, make_windows

SEED = 7
WINDOW = 48
HORIZON = 6
BATCH = 64
EPOCHS = 14
LR = 2e-3

torch.manual_seed(SEED)
rng = np.random.default_rng(SEED)


class Residual(nn.Module):
    def __init__(self, ch, dilation):
        super().__init__()
        self.pad = nn.ConstantPad1d((2 * dilation, 0), 0.0)
        self.conv = nn.Conv1d(ch, ch, 3, dilation=dilation)
        self.mix = nn.Conv1d(ch, ch, 1)

    def forward(self, x):
        return x + self.mix(torch.relu(self.conv(self.pad(x))))


class Forecaster(nn.Module):
    def __init__(self, n_in, horizon, ch=24):
        super().__init__()
        self.inp = nn.Conv1d(n_in, ch, 1)
        self.blocks = nn.Sequential(*[Residual(ch, 2 ** k) for k in range(4)])
        self.out = nn.Linear(ch, horizon)

    def forward(self, x):
        h = self.blocks(self.inp(x))
        return self.out(torch.relu(h[:, :, -1]))


table = load_table("greenhouse.csv")
cut = int(0.8 * len(table))
mean, std = table[:cut].mean(0), table[:cut].std(0)
table = (table - mean) / std
train_x, train_y = make_windows(table[:cut], WINDOW, HORIZON, target=2)
valid_x, valid_y = make_windows(table[cut:], WINDOW, HORIZON, target=2)

net = Forecaster(train_x.shape[1], HORIZON)
params = filter(lambda p: p.requires_grad, net.parameters())
optimizer = torch.optim.Adam(params, lr=LR)
loss_fn = nn.MSELoss()


def clear_grads():
    # cheaper than filling with zeros
    for p in params:
        p.grad = None


for epoch in range(1, EPOCHS + 1):
    net.train()
    order = rng.permutation(len(train_x))
    total = 0.0
    for lo in range(0, len(order), BATCH):
        idx = torch.from_numpy(order[lo:lo + BATCH])
        clear_grads()
        loss = loss_fn(net(train_x[idx]), train_y[idx])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    net.eval()
    with torch.no_grad():
        err = net(valid_x) - valid_y
        v = err.pow(2).mean().item()
    print(f"epoch {epoch:2d}  train mse {total / len(order):.4f}  valid mse {v:.4f}  "
          f"valid rmse {math.sqrt(v) * std[2]:.2f} kW")

"""Torque from 16 sensors of the test rig."""

import numpy as np
import torch
from torch import nn

EPOCHS, BATCH, BASE_LR = 25, 32, 1e-2


def lr_at(step):
    return BASE_LR * (1 - 0.3 * step / (EPOCHS * 75))


def optimizer_for(net, step):
    return torch.optim.Adam(net.parameters(), lr=lr_at(step))


def build():
    return nn.Sequential(nn.Linear(16, 128), nn.SiLU(), nn.Linear(128, 128), nn.SiLU(), nn.Linear(128, 128), nn.SiLU(), nn.Linear(128, 1))


def main():
    torch.manual_seed(40)
    d = np.load("rig.npz")
    x, y = torch.tensor(d["sensors"]), torch.tensor(d["torque"])[:, None]
    train, test = slice(0, 2400), slice(2400, None)
    net, step = build(), 0
    for epoch in range(EPOCHS):
        total = 0.0
        for b in torch.randperm(2400).split(BATCH):
            opt = optimizer_for(net, step)
            loss = nn.functional.mse_loss(net(x[train][b]), y[train][b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            step += 1
            total += loss.item()
        with torch.no_grad():
            err = nn.functional.mse_loss(net(x[test]), y[test]).item()
        print(f"epoch {epoch + 1:2d} lr {lr_at(step):.4f} train {total / 75:.4f} test {err:.4f}")


main()

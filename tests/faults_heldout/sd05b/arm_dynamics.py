#!/usr/bin/env python
"""Learn the inverse dynamics of a planar two-link arm: (q, dq, ddq) -> joint torques."""
import argparse
import math
import time

import torch
from torch import nn

M1, M2, L1, L2, G = 1.2, 0.8, 0.5, 0.4, 9.81


def torques(q, dq, ddq):
    c2, s2 = torch.cos(q[:, 1]), torch.sin(q[:, 1])
    a = (M1 + M2) * L1 ** 2 + M2 * L2 ** 2 + 2 * M2 * L1 * L2 * c2
    b = M2 * L2 ** 2 + M2 * L1 * L2 * c2
    d = M2 * L2 ** 2
    h = M2 * L1 * L2 * s2
    g1 = (M1 + M2) * G * L1 * torch.cos(q[:, 0]) + M2 * G * L2 * torch.cos(q[:, 0] + q[:, 1])
    g2 = M2 * G * L2 * torch.cos(q[:, 0] + q[:, 1])
    t1 = a * ddq[:, 0] + b * ddq[:, 1] - h * (2 * dq[:, 0] * dq[:, 1] + dq[:, 1] ** 2) + g1
    t2 = b * ddq[:, 0] + d * ddq[:, 1] + h * dq[:, 0] ** 2 + g2
    return torch.stack([t1, t2], dim=1)


def sample(n, gen):
    q = (torch.rand(n, 2, generator=gen) * 2 - 1) * math.pi * 0.75
    dq = torch.randn(n, 2, generator=gen)
    ddq = torch.randn(n, 2, generator=gen) * 2
    tau = torques(q, dq, ddq)
    tau = tau + 0.05 * torch.randn(tau.shape, generator=gen)
    return torch.cat([q, dq, ddq], dim=1), tau


class SmoothUnit(nn.Module):
    def __init__(self, slope):
        super().__init__()
        self.slope = slope

    def forward(self, x):
        return torch.tanh(self.slope * x)


def build(width, depth, slope):
    layers, d = [], 6
    for _ in range(depth):
        layers += [nn.Linear(d, width), SmoothUnit(slope)]
        d = width
    layers.append(nn.Linear(d, 2))
    return nn.Sequential(*layers)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--samples", type=int, default=6000)
    p.add_argument("--width", type=int, default=64)
    p.add_argument("--depth", type=int, default=4)
    p.add_argument("--slope", type=float, default=1.0, help="steepness of the hidden units")
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--epochs", type=int, default=40)
    p.add_argument("--batch-size", type=int, default=100)
    p.add_argument("--seed", type=int, default=3)
    args = p.parse_args()

    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed)
    x, y = sample(args.samples, gen)
    x_test, y_test = sample(1500, gen)
    mx, sx, my, sy = x.mean(0), x.std(0), y.mean(0), y.std(0)
    x, x_test, y, y_test = (x - mx) / sx, (x_test - mx) / sx, (y - my) / sy, (y_test - my) / sy

    net = build(args.width, args.depth, args.slope)
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    steps = args.epochs * math.ceil(len(x) / args.batch_size)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    started = time.time()

    for epoch in range(args.epochs):
        perm = torch.randperm(len(x))
        total = 0.0
        for idx in perm.split(args.batch_size):
            loss = nn.functional.mse_loss(net(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item() * len(idx)
        with torch.no_grad():
            nmse = ((net(x_test) - y_test) ** 2).mean(0)
        print(f"epoch {epoch:2d} train mse {total / len(x):.4f}  test nmse joint1 {nmse[0]:.4f} joint2 {nmse[1]:.4f}"
              f"  ({time.time() - started:.1f}s)")


if __name__ == "__main__":
    main()

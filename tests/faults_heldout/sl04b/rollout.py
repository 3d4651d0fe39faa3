"""Learned one-step map of a convection model, fitted through its own rollout."""
import argparse
import math

import numpy as np
import torch
from torch import nn


class StepMap(nn.Module):
    def __init__(self, dim=3, width=64):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(dim, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, dim))

    def forward(self, x):
        return x + self.f(x)

    def roll(self, x, n):
        out = []
        for _ in range(n):
            x = self(x)
            out.append(x)
        return torch.stack(out, 1)


def windows(series, n, count, gen):
    start = torch.randint(0, len(series) - n - 1, (count,), generator=gen)
    return torch.stack([series[s:s + n + 1] for s in start.tolist()])


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--series", default="convection.npy")
    p.add_argument("--unroll", type=int, default=8, help="steps rolled out inside the loss")
    p.add_argument("--steps", type=int, default=300)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--seed", type=int, default=0)
    a = p.parse_args()
    torch.manual_seed(a.seed)
    gen = torch.Generator().manual_seed(a.seed + 100)

    s = torch.from_numpy(np.load(a.series)).float()
    cut = int(0.8 * len(s))
    mean, std = s[:cut].mean(0), s[:cut].std(0)
    s = (s - mean) / std
    fit, held = s[:cut], s[cut:]
    check = windows(held, 10, 200, torch.Generator().manual_seed(1))

    net = StepMap()
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda i: 0.5 * (1 + math.cos(math.pi * i / a.steps)))
    mean_loss = 0.0
    for i in range(1, a.steps + 1):
        w = windows(fit, a.unroll, a.batch, gen)
        loss = (net.roll(w[:, 0], a.unroll) - w[:, 1:]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        mean_loss += loss.item()
        if i % 40 == 0:
            with torch.no_grad():
                err = (net.roll(check[:, 0], 10) - check[:, 1:]).pow(2).mean().sqrt().item()
            print(f"step {i:4d}  loss {mean_loss / 40:.5g}  10-step rmse on held-out part {err:.4f}", flush=True)
            mean_loss = 0.0


if __name__ == "__main__":
    main()

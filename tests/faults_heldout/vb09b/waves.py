"""Classify pump pressure cycles from a single channel.

Cycle shapes: slow rise / fast drop, fast rise / slow drop, and frequency
sweeps in both directions (start-up, run-down).
"""
import argparse
import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn

KINDS = ("fill", "vent", "start_up", "run_down")
STEPS = 128


class Split(NamedTuple):
    x: torch.Tensor
    y: torch.Tensor


def make_split(count, gen):
    y = torch.randint(len(KINDS), (count,), generator=gen)
    t = torch.linspace(0, 1, STEPS).repeat(count, 1)
    u = torch.rand(count, 4, generator=gen)
    cycles = 2 + 3 * u[:, :1]
    phase = u[:, 1:2]
    ramp = (cycles * t + phase) % 1.0
    lo, hi = 1.5 + u[:, 2:3], 7 + 4 * u[:, 2:3]
    up = torch.sin(2 * math.pi * (lo * t + (hi - lo) * t ** 2 / 2 + phase))
    down = torch.sin(2 * math.pi * (hi * t + (lo - hi) * t ** 2 / 2 + phase))
    shapes = torch.stack([2 * ramp - 1, 1 - 2 * ramp, up, down])
    x = shapes[y, torch.arange(count)] * (0.7 + 0.6 * u[:, 3:])
    x = x + 0.55 * torch.randn(count, STEPS, generator=gen)
    return Split(x.unsqueeze(1), y)


class Augment:
    def __init__(self, jitter, shift, reverse):
        self.jitter, self.shift, self.reverse = jitter, shift, reverse

    def __call__(self, x):
        n = len(x)
        if self.shift:
            offset = torch.randint(-self.shift, self.shift + 1, (n, 1))
            index = (torch.arange(STEPS) + offset).clamp(0, STEPS - 1)
            x = x.gather(2, index.unsqueeze(1))
        if self.reverse:
            pick = torch.rand(n, 1, 1) < self.reverse
            x = torch.where(pick, x.flip(2), x)
        if self.jitter:
            x = x + self.jitter * torch.randn_like(x)
        return x


def network():
    return nn.Sequential(
        nn.Conv1d(1, 16, 9, padding=4), nn.BatchNorm1d(16), nn.ReLU(), nn.MaxPool1d(2),
        nn.Conv1d(16, 32, 7, padding=3), nn.BatchNorm1d(32), nn.ReLU(), nn.MaxPool1d(2),
        nn.Conv1d(32, 32, 5, padding=2), nn.BatchNorm1d(32), nn.ReLU(), nn.AdaptiveAvgPool1d(4),
        nn.Flatten(), nn.Linear(128, len(KINDS)),
    )


def accuracy(net, split):
    net.eval()
    with torch.no_grad():
        guess = net(split.x).argmax(1)
    per_kind = [(guess[split.y == k] == k).float().mean().item() for k in range(len(KINDS))]
    return (guess == split.y).float().mean().item(), per_kind


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--batch", type=int, default=50)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--jitter", type=float, default=0.0)
    ap.add_argument("--shift", type=int, default=0)
    ap.add_argument("--reverse", type=float, default=0.0)
    ap.add_argument("--seed", type=int, default=42)
    opts = ap.parse_args(argv)

    torch.manual_seed(opts.seed)
    gen = torch.Generator().manual_seed(opts.seed)
    train, val = make_split(2000, gen), make_split(500, gen)
    augment = Augment(opts.jitter, opts.shift, opts.reverse)
    net = network()
    optim = torch.optim.AdamW(net.parameters(), lr=opts.lr, weight_decay=1e-2)

    for epoch in range(opts.epochs):
        net.train()
        total, steps = 0.0, 0
        for rows in torch.randperm(len(train.y)).split(opts.batch):
            logits = net(augment(train.x[rows]))
            loss = F.cross_entropy(logits, train.y[rows])
            optim.zero_grad()
            loss.backward()
            optim.step()
            total, steps = total + loss.item(), steps + 1
        acc, per_kind = accuracy(net, val)
        detail = ", ".join(f"{k} {a:.2f}" for k, a in zip(KINDS, per_kind))
        print(f"epoch {epoch + 1:>2}/{opts.epochs} loss {total / steps:.3f} val {acc:.3f} ({detail})")


if __name__ == "__main__":
    main()

#!/usr/bin/env python
"""Day-ahead load forecast from the last 72 hours (hourly substation data)."""
import argparse
import copy
import os

import numpy as np
import torch
from torch import nn


class WeightAverage:
    def __init__(self, module, decay):
        self.decay = decay
        self.module = copy.deepcopy(module).eval()
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, source):
        for avg, cur in zip(self.module.parameters(), source.parameters()):
            avg.mul_(self.decay).add_(cur, alpha=1.0 - self.decay)


def windows(series, history, horizon, stride=1):
    starts = range(0, len(series) - history - horizon + 1, stride)
    x = np.stack([series[s:s + history] for s in starts])
    y = np.stack([series[s + history:s + history + horizon] for s in starts])
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "load.npz"))
    p.add_argument("--history", type=int, default=72)
    p.add_argument("--horizon", type=int, default=24)
    p.add_argument("--hidden", type=int, default=128)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--steps", type=int, default=900)
    p.add_argument("--ema-decay", type=float, default=0.99)
    p.add_argument("--eval-every", type=int, default=100)
    p.add_argument("--seed", type=int, default=3)
    return p.parse_args()


def main():
    args = parse()
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)

    load = np.load(args.data)["load_mw"]
    cut = int(0.8 * len(load))
    mu, sd = load[:cut].mean(), load[:cut].std()
    z = (load - mu) / sd
    x_tr, y_tr = windows(z[:cut], args.history, args.horizon)
    x_va, y_va = windows(z[cut:], args.history, args.horizon, stride=6)

    net = nn.Sequential(
        nn.Linear(args.history, args.hidden), nn.GELU(),
        nn.Linear(args.hidden, args.hidden), nn.GELU(),
        nn.Linear(args.hidden, args.horizon),
    )
    avg = WeightAverage(net, args.ema_decay)
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=1e-3)

    running = None
    for step in range(1, args.steps + 1):
        idx = rng.integers(0, len(x_tr), args.batch_size)
        loss = nn.functional.mse_loss(net(x_tr[idx]), y_tr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        avg.update(net)
        running = loss.item() if running is None else 0.95 * running + 0.05 * loss.item()
        if step % args.eval_every == 0:
            with torch.no_grad():
                pred = avg.module(x_va)
                mse = nn.functional.mse_loss(pred, y_va).item()
                mae_mw = (pred - y_va).abs().mean().item() * sd
            print(f"{step:5d} | train mse {running:.4f} | val mse {mse:.4f} | val MAE {mae_mw:.2f} MW")

    torch.save({"net": avg.module.state_dict(), "mu": float(mu), "sd": float(sd)}, os.devnull)


if __name__ == "__main__":
    main()

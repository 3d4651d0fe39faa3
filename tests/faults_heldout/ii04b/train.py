"""
Next-day discharge of a mountain river from the last three weeks of station readings.

usage: python train.py --window 21 --epochs 9
"""
import argparse
import csv
import json
import math
import os

import torch
import torch.nn as nn


# ----------------------------------------------------------------------------- data

class Station:
    """Column description and fixed scaling constants of the gauge."""

    def __init__(self, path):
        spec = json.load(open(path))
        self.columns = spec["columns"]
        self.center = torch.tensor(spec["center"])
        self.scale = torch.tensor(spec["scale"])
        self.target = self.columns.index(spec["target"])

    def read(self, path):
        with open(path, newline="") as fh:
            rows = [[float(r[c]) for c in self.columns] for r in csv.DictReader(fh)]
        raw = torch.tensor(rows)
        return (raw - self.center) / self.scale


def make_windows(series, target, window):
    """All windows of `window` days with the target of the following day."""
    x = series.unfold(0, window, 1)[:-1].transpose(1, 2).contiguous()
    y = series[window:, target]
    return x, y


def batches(x, y, size, generator):
    order = torch.randperm(len(x), generator=generator)
    for rows in order.split(size):
        yield x[rows], y[rows]


# ----------------------------------------------------------------------------- model

class DischargeNet(nn.Module):
    def __init__(self, n_features, hidden=32):
        super().__init__()
        self.gru = nn.GRU(n_features, hidden, batch_first=True)
        self.norm = nn.LayerNorm(hidden)
        self.head = nn.Sequential(nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, 1))
        self.skip = n_features - 1

    def forward(self, x):
        _, h = self.gru(x)
        change = self.head(self.norm(h[-1])).squeeze(-1)
        return x[:, -1, self.skip] + change


# ----------------------------------------------------------------------------- scores

def nash_sutcliffe(pred, obs):
    return 1 - ((pred - obs) ** 2).sum() / ((obs - obs.mean()) ** 2).sum()


@torch.no_grad()
def validate(model, x, y):
    model.eval()
    pred = model(x)
    persistence = x[:, -1, model.skip]
    rmse = torch.sqrt(nn.functional.mse_loss(pred, y)).item()
    skill = 1 - nn.functional.mse_loss(pred, y) / nn.functional.mse_loss(persistence, y)
    return rmse, nash_sutcliffe(pred, y).item(), skill.item()


# ----------------------------------------------------------------------------- training

class Trainer:
    def __init__(self, model, lr, clip, warmup):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.clip = clip
        self.warmup = warmup
        self.base_lr = lr
        self.step_count = 0

    def step(self, x, y):
        self.step_count += 1
        for group in self.optimizer.param_groups:
            group["lr"] = self.base_lr * min(1.0, self.step_count / self.warmup)
        self.model.train()
        loss = nn.functional.smooth_l1_loss(self.model(x), y, beta=0.2)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        if math.isfinite(norm.item()):
            self.optimizer.step()
        return loss.detach(), norm


def parse():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--data", default="gauge")
    p.add_argument("--window", type=int, default=21)
    p.add_argument("--epochs", type=int, default=9)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--lr", type=float, default=4e-3)
    p.add_argument("--clip", type=float, default=2.0)
    p.add_argument("--warmup", type=int, default=40)
    p.add_argument("--seed", type=int, default=1)
    return p.parse_args()


def main():
    args = parse()
    torch.manual_seed(args.seed)
    station = Station("station.json")
    past = station.read(os.path.join(args.data, "daily_2014_2018.csv"))
    recent = station.read(os.path.join(args.data, "daily_2019.csv"))
    x, y = make_windows(past, station.target, args.window)
    xv, yv = make_windows(recent, station.target, args.window)
    print(f"{len(x)} training windows, {len(xv)} validation windows")

    model = DischargeNet(len(station.columns))
    trainer = Trainer(model, args.lr, args.clip, args.warmup)
    generator = torch.Generator().manual_seed(args.seed)
    for epoch in range(args.epochs):
        losses, norms = [], []
        for bx, by in batches(x, y, args.batch_size, generator):
            loss, norm = trainer.step(bx, by)
            losses.append(loss)
            norms.append(norm)
        rmse, nse, skill = validate(model, xv, yv)
        print(
            f"epoch {epoch:2d} | loss {torch.stack(losses).nanmean():.4f} | grad {torch.stack(norms).nanmean():.3f} "
            f"| val rmse {rmse:.3f} | NSE {nse:.3f} | skill over persistence {skill:+.3f}"
        )


if __name__ == "__main__":
    main()

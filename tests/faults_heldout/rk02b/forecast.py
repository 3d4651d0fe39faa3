"""Hourly demand per bike station: counts from calendar, weather and recent history.

    python forecast.py --train trips_train.npz --holdout trips_holdout.npz
"""
import argparse
import math
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

CONT = ("temp", "wind", "rain", "lag24", "lag168")


def load(path):
    z = np.load(path)
    table = {name: z[name] for name in z.files}
    count = torch.as_tensor(table["count"].astype(np.float32))
    hour = table["hour"].astype(np.float32) * (2 * math.pi / 24)
    cyc = np.stack([np.sin(hour), np.cos(hour), np.sin(2 * hour), np.cos(2 * hour)], 1)
    cont = np.stack([table[c].astype(np.float32) for c in CONT], 1)
    cont[:, 3:] = np.log1p(cont[:, 3:])
    return {
        "station": torch.as_tensor(table["station"].astype(np.int64)),
        "dow": torch.as_tensor(table["dow"].astype(np.int64)),
        "cont": torch.as_tensor(cont),
        "cyc": torch.as_tensor(cyc.astype(np.float32)),
        "count": count,
    }


class Standardizer:
    def __init__(self, x):
        self.mu, self.sd = x.mean(0), x.std(0).clamp_min(1e-6)

    def __call__(self, x):
        return (x - self.mu) / self.sd


class DemandNet(nn.Module):
    def __init__(self, n_stations, width=96, emb=8):
        super().__init__()
        self.station = nn.Embedding(n_stations, emb)
        self.dow = nn.Embedding(7, 4)
        d = emb + 4 + len(CONT) + 4
        self.trunk = nn.Sequential(
            nn.Linear(d, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
        )
        self.log_rate = nn.Linear(width, 1)

    def forward(self, b):
        h = torch.cat([self.station(b["station"]), self.dow(b["dow"]), b["cont"], b["cyc"]], 1)
        return self.log_rate(self.trunk(h)).squeeze(1)


def pick(table, idx):
    return {k: v[idx] for k, v in table.items()}


def batches(table, size, gen):
    n = len(table["count"])
    for idx in torch.randperm(n, generator=gen).split(size):
        if len(idx) == size:
            yield pick(table, idx)


@torch.no_grad()
def score(model, table):
    model.eval()
    log_rate = model(table)
    model.train()
    y = table["count"]
    nll = F.poisson_nll_loss(log_rate, y, log_input=True, full=True)
    rate = log_rate.exp()
    return {
        "nll": nll.item(),
        "mae": (rate - y).abs().mean().item(),
        "wape": ((rate - y).abs().sum() / y.sum()).item(),
    }


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--train", default="trips_train.npz")
    ap.add_argument("--holdout", default="trips_holdout.npz")
    ap.add_argument("--epochs", type=int, default=14)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=3)
    a = ap.parse_args()
    torch.manual_seed(a.seed)

    train, hold = load(a.train), load(a.holdout)
    scale = Standardizer(train["cont"])
    train["cont"], hold["cont"] = scale(train["cont"]), scale(hold["cont"])

    model = DemandNet(int(train["station"].max()) + 1)
    nn.init.zeros_(model.log_rate.weight)
    nn.init.constant_(model.log_rate.bias, math.log(train["count"].mean().item()))

    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=1e-3)
    steps = a.epochs * (len(train["count"]) // a.batch)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=a.lr, total_steps=steps, pct_start=0.15)
    gen = torch.Generator().manual_seed(a.seed)

    t0 = time.time()
    for epoch in range(a.epochs):
        tot, k = 0.0, 0
        for b in batches(train, a.batch, gen):
            loss = F.poisson_nll_loss(model(b), b["count"], log_input=True, full=True)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 50.0)
            opt.step()
            sched.step()
            tot += loss.item()
            k += 1
        s = score(model, hold)
        print(f"[{time.time() - t0:5.1f}s] epoch {epoch:2d}  train nll {tot / k:8.3f}  "
              f"holdout nll {s['nll']:8.3f}  mae {s['mae']:6.2f}  wape {s['wape']:.3f}")


if __name__ == "__main__":
    main()

"""Delivery time bands (10 / 50 / 90 %) from order features."""
import argparse
import csv
import math
import os

import torch
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))
QS = torch.tensor([0.1, 0.5, 0.9])


def read_orders(path):
    rows, y = [], []
    with open(path) as fh:
        for r in csv.DictReader(fh):
            h = 2 * math.pi * float(r["hour"]) / 24
            wd = int(r["weekday"])
            rows.append([
                float(r["distance_km"]), float(r["items"]), math.sin(h), math.cos(h),
                1.0 if wd >= 5 else 0.0, float(r["rain_mm"]),
                *[1.0 if r["vehicle"] == v else 0.0 for v in ("bike", "scooter", "car")],
            ])
            y.append(float(r["minutes"]))
    return torch.tensor(rows), torch.tensor(y)


class Bands(nn.Module):
    """Median plus two non-negative gaps, so the bands never cross."""

    def __init__(self, d, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.mid = nn.Linear(width, 1)
        self.gaps = nn.Linear(width, 2)

    def forward(self, x):
        h = self.body(x)
        mid = self.mid(h)
        lo, hi = nn.functional.softplus(self.gaps(h)).split(1, dim=1)
        return torch.cat([mid - lo, mid, mid + hi], dim=1)


def pinball(pred, y):
    e = y.unsqueeze(1) - pred
    return torch.maximum(QS * e, (QS - 1) * e).mean()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default=os.path.join(HERE, "orders.csv"))
    ap.add_argument("--epochs", type=int, default=60)
    ap.add_argument("--bs", type=int, default=128)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=4)
    a = ap.parse_args()
    torch.manual_seed(a.seed)

    x, y = read_orders(a.data)
    perm = torch.randperm(len(x))
    tr, va = perm[:3200], perm[3200:]

    # robust scaling: centre and spread come from the training rows
    med = x[tr].median(0).values
    spread = (x[tr].quantile(0.9, dim=0) - x[tr].quantile(0.1, dim=0)).clamp(min=1.0)
    x = (x - med) / spread
    unit = y[tr].median()
    t = y / unit

    model = Bands(x.shape[1], 48)
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=1e-3)
    steps = a.epochs * math.ceil(len(tr) / a.bs)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)

    const = t[tr].quantile(QS).expand(len(va), 3)
    print(f"constant bands: pinball {pinball(const, t[va]) * unit:.2f} min, "
          f"slowest order {y.max():.0f} min, median {unit:.0f} min")

    for ep in range(1, a.epochs + 1):
        model.train()
        total = 0.0
        order = tr[torch.randperm(len(tr))]
        for idx in order.split(a.bs):
            loss = pinball(model(x[idx]), t[idx])
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item() * len(idx)
        if ep % 5 == 0 or ep == 1:
            model.eval()
            with torch.no_grad():
                p = model(x[va])
                v = pinball(p, t[va])
                cover = ((t[va] >= p[:, 0]) & (t[va] <= p[:, 2])).float().mean()
                mae = (p[:, 1] - t[va]).abs().mean() * unit
            print(f"epoch {ep:3d}  train {total / len(tr) * unit:.3f}  val {v * unit:.3f} min  "
                  f"coverage {cover:.3f}  median-abs-err {mae:.2f} min")


if __name__ == "__main__":
    main()

"""Four toxicity end points from compound descriptors. Not every compound was measured in every assay: empty cells."""
import csv
import dataclasses
import sys

import numpy as np
import torch
from sklearn.metrics import average_precision_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ENDPOINTS = ["hepato", "cardio", "endo", "neuro"]


@dataclasses.dataclass
class Config:
    path: str = "assays.csv"
    hidden: int = 32
    dropout: float = 0.25
    lr: float = 2e-3
    weight_decay: float = 0.02
    epochs: int = 30
    batch_size: int = 64
    max_weight: float = 20.0


def read(path):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    descriptors = [k for k in rows[0] if k not in ENDPOINTS]
    x = torch.tensor([[float(r[k]) for k in descriptors] for r in rows])
    y = torch.tensor([[float(r[k]) if r[k] else float("nan") for k in ENDPOINTS] for r in rows])
    return x, y


class MaskedBCE(nn.Module):
    """Binary cross-entropy over the measured cells only; rare positives count more."""

    def __init__(self, y, max_weight):
        super().__init__()
        pos, neg = (y == 1).sum(0), (y == 0).sum(0)
        self.register_buffer("pos_weight", (neg / pos).clamp(max=max_weight))

    def forward(self, logits, y):
        known = ~y.isnan()
        filled = torch.where(known, y, torch.zeros_like(y))
        per_cell = nn.functional.binary_cross_entropy_with_logits(logits, filled, pos_weight=self.pos_weight, reduction="none")
        return (per_cell * known).sum() / known.sum().clamp(min=1)


def average_precision(logits, y):
    out = []
    for j in range(y.shape[1]):
        known = ~y[:, j].isnan()
        out.append(average_precision_score(y[known, j].numpy(), logits[known, j].numpy()))
    return np.array(out)


def main(cfg):
    torch.manual_seed(1234)
    x, y = read(cfg.path)
    print(f"{len(x)} compounds, measured per end point", (~y.isnan()).float().mean(0).tolist())
    perm = torch.randperm(len(x))
    tr, va, te = perm[:2800], perm[2800:3300], perm[3300:]
    x = (x - x[tr].mean(0)) / x[tr].std(0)

    loader = DataLoader(TensorDataset(x[tr], y[tr]), cfg.batch_size, shuffle=True)
    net = nn.Sequential(nn.Linear(x.shape[1], cfg.hidden), nn.ReLU(), nn.Dropout(cfg.dropout),
                        nn.Linear(cfg.hidden, cfg.hidden), nn.ReLU(), nn.Dropout(cfg.dropout),
                        nn.Linear(cfg.hidden, len(ENDPOINTS)))
    criterion = MaskedBCE(y[tr], cfg.max_weight)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.epochs)
    for epoch in range(1, cfg.epochs + 1):
        net.train()
        total = 0.0
        for xb, yb in loader:
            loss = criterion(net(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        sched.step()
        if epoch % 5 == 0:
            net.eval()
            with torch.no_grad():
                t, v = net(x[tr]), net(x[va])
            print(f"epoch {epoch:3d}  running {total / len(loader):.3f}  train {criterion(t, y[tr]).item():.3f}  val {criterion(v, y[va]).item():.3f}  "
                  f"AP train {average_precision(t, y[tr]).mean():.3f} val {average_precision(v, y[va]).mean():.3f}")
    with torch.no_grad():
        ap = average_precision(net(x[te]), y[te])
    base = np.nanmean(y[te].numpy(), 0)
    for name, a, b in zip(ENDPOINTS, ap, base):
        print(f"test {name:8s} average precision {a:.3f} (rate {b:.3f})")


if __name__ == "__main__":
    main(Config(*sys.argv[1:2]))

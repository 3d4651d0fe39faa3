"""Predict crop yield from field records with a small gated table network."""
import argparse
import csv
import math
import pathlib
import random

import torch
from torch import nn


class GhostNorm(nn.Module):
    """Batch normalisation over virtual batches."""

    def __init__(self, dim, virtual, momentum=0.05):
        super().__init__()
        self.virtual = virtual
        self.bn = nn.BatchNorm1d(dim, momentum=momentum)

    def forward(self, x):
        if not self.training or len(x) <= self.virtual:
            return self.bn(x)
        return torch.cat([self.bn(c) for c in x.split(self.virtual)])


class GatedBlock(nn.Module):
    def __init__(self, d_in, d_out, virtual):
        super().__init__()
        self.lin = nn.Linear(d_in, 2 * d_out, bias=False)
        self.norm = GhostNorm(2 * d_out, virtual)

    def forward(self, x):
        return nn.functional.glu(self.norm(self.lin(x)))


class TableNet(nn.Module):
    def __init__(self, d_in, width, virtual):
        super().__init__()
        self.a = GatedBlock(d_in, width, virtual)
        self.b = GatedBlock(width, width, virtual)
        self.c = GatedBlock(width, width, virtual)
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        h = self.a(x)
        h = (h + self.b(h)) * math.sqrt(0.5)
        h = (h + self.c(h)) * math.sqrt(0.5)
        return self.head(h).squeeze(1)


def read(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    cols = [c for c in rows[0] if c != "yield_t_ha"]
    x = torch.tensor([[float(r[c]) for c in cols] for r in rows])
    y = torch.tensor([float(r["yield_t_ha"]) for r in rows])
    return x, y, cols


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default=str(pathlib.Path(__file__).with_name("fields.csv")))
    ap.add_argument("--epochs", type=int, default=25)
    ap.add_argument("--batch-size", type=int, default=128)
    ap.add_argument("--virtual-batch-size", type=int, default=64)
    ap.add_argument("--width", type=int, default=24)
    ap.add_argument("--lr", type=float, default=8e-3)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()

    random.seed(args.seed)
    torch.manual_seed(args.seed)
    x, y, cols = read(args.data)
    perm = torch.randperm(len(x), generator=torch.Generator().manual_seed(0))
    n = int(0.8 * len(x))
    tr, va = perm[:n], perm[n:]
    mu, sd = x[tr].mean(0), x[tr].std(0)
    x = (x - mu) / sd
    ymu, ysd = y[tr].mean(), y[tr].std()
    t = (y - ymu) / ysd

    net = TableNet(len(cols), args.width, args.virtual_batch_size)
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=1e-4)
    per_epoch = n // args.batch_size
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, args.lr, total_steps=args.epochs * per_epoch)

    for epoch in range(args.epochs):
        net.train()
        order = tr[torch.randperm(n)]
        run = 0.0
        for i in range(per_epoch):
            b = order[i * args.batch_size:(i + 1) * args.batch_size]
            loss = nn.functional.mse_loss(net(x[b]), t[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            run += loss.item()
        net.eval()
        with torch.no_grad():
            p = net(x[va])
        mse = nn.functional.mse_loss(p, t[va]).item()
        rmse = (((p - t[va]) * ysd) ** 2).mean().sqrt().item()
        r2 = 1 - mse / t[va].var(unbiased=False).item()
        print(f"epoch {epoch + 1:3d} | train {run / per_epoch:.4f} | valid {mse:.4f} | rmse {rmse:.3f} t/ha | R2 {r2:.3f}")


if __name__ == "__main__":
    main()

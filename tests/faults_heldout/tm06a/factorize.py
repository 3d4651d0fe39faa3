#!/usr/bin/env python
"""Factorise the taster x coffee-lot score table and predict the scores that were held out."""
import argparse
import math

import numpy as np
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--scores", default="cupping.npz")
parser.add_argument("--rank", type=int, default=8)
parser.add_argument("--epochs", type=int, default=30)
parser.add_argument("--batch-size", type=int, default=256)
parser.add_argument("--lr", type=float, default=0.01)
parser.add_argument("--l2", type=float, default=0.02)
parser.add_argument("--seed", type=int, default=0)


class Factorization(nn.Module):
    def __init__(self, n_tasters, n_lots, rank, mean):
        super().__init__()
        self.taster = nn.Embedding(n_tasters, rank)
        self.lot = nn.Embedding(n_lots, rank)
        self.taster_bias = nn.Embedding(n_tasters, 1)
        self.lot_bias = nn.Embedding(n_lots, 1)
        self.register_buffer("mean", torch.tensor(float(mean)))
        for emb in (self.taster, self.lot):
            nn.init.normal_(emb.weight, std=0.3)
        for emb in (self.taster_bias, self.lot_bias):
            nn.init.zeros_(emb.weight)

    def forward(self, u, i):
        p, q = self.taster(u), self.lot(i)
        dot = (p * q).sum(-1)
        pred = self.mean + dot + (self.taster_bias(u) + self.lot_bias(i)).squeeze(-1)
        return pred, (p.square() + q.square()).sum(-1).mean()


def rmse(model, u, i, r):
    with torch.no_grad():
        return (model(u, i)[0] - r).square().mean().sqrt().item()


def main():
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    z = np.load(args.scores)
    u = torch.from_numpy(z["taster"].astype(np.int64))
    i = torch.from_numpy(z["lot"].astype(np.int64))
    r = torch.from_numpy(z["score"].astype(np.float32)) / 10.0
    order = torch.randperm(len(r), generator=torch.Generator().manual_seed(args.seed))
    cut = int(0.85 * len(r))
    tr, te = order[:cut], order[cut:]

    model = Factorization(int(u.max()) + 1, int(i.max()) + 1, args.rank, r[tr].mean())
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)
    for epoch in range(args.epochs):
        total, n = 0.0, 0
        for b in tr[torch.randperm(len(tr))].split(args.batch_size):
            pred, size = model(u[b], i[b])
            err = (pred - r[b]).square().mean()
            opt.zero_grad()
            (err + args.l2 * size).backward()
            opt.step()
            total, n = total + err.item() * len(b), n + len(b)
        sched.step()
        if (epoch + 1) % 3 == 0:
            print(f"epoch {epoch + 1:2d}  train rmse {10 * math.sqrt(total / n):.3f}  "
                  f"held-out rmse {10 * rmse(model, u[te], i[te], r[te]):.3f} points")

    pred = 10 * model(u[te], i[te])[0].detach().numpy()
    true = 10 * r[te].numpy()
    print(f"explained variance {1 - np.var(true - pred) / np.var(true):.3f}, score std {true.std():.2f}")
    top = [np.corrcoef(true[k], pred[k])[0, 1] for k in
           (np.flatnonzero(u[te].numpy() == t) for t in range(int(u.max()) + 1)) if len(k) > 4]
    print(f"within-taster correlation {np.mean(top):.3f} ({len(top)} tasters)")


if __name__ == "__main__":
    main()

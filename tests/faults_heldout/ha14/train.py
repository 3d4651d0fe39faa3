#!/usr/bin/env python
"""Rating prediction with biased matrix factorisation."""
import argparse
import math
import pathlib

import numpy as np
import torch
from torch import nn


class BiasedMF(nn.Module):
    def __init__(self, users, items, factors, mean):
        super().__init__()
        self.p = nn.Embedding(users, factors)
        self.q = nn.Embedding(items, factors)
        self.bu = nn.Embedding(users, 1)
        self.bi = nn.Embedding(items, 1)
        self.register_buffer("mean", torch.tensor(mean))
        for e in (self.p, self.q):
            nn.init.normal_(e.weight, std=0.3)
        for e in (self.bu, self.bi):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        dot = (self.p(u) * self.q(i)).sum(1)
        return self.mean + self.bu(u).squeeze(1) + self.bi(i).squeeze(1) + dot


def rmse(model, u, i, r):
    with torch.no_grad():
        return math.sqrt(((model(u, i) - r) ** 2).mean().item())


if __name__ == "__main__":
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--ratings", default="ratings.npz")
    ap.add_argument("--factors", type=int, default=1)
    ap.add_argument("--epochs", type=int, default=25)
    ap.add_argument("--lr", type=float, default=0.01)
    ap.add_argument("--batch", type=int, default=256)
    o = ap.parse_args()

    torch.manual_seed(99)
    z = np.load(pathlib.Path(__file__).parent / o.ratings)
    tab = torch.from_numpy(z["triples"].astype(np.int64))
    score = torch.from_numpy(z["stars"].astype(np.float32))
    hold = torch.rand(len(tab)) < 0.1
    u, i, r = tab[~hold, 0], tab[~hold, 1], score[~hold]
    uv, iv, rv = tab[hold, 0], tab[hold, 1], score[hold]
    print(f"{len(r)} ratings, {len(rv)} held out, sd {rv.std():.3f}")

    model = BiasedMF(int(tab[:, 0].max()) + 1, int(tab[:, 1].max()) + 1, o.factors, r.mean().item())
    opt = torch.optim.Adam(model.parameters(), lr=o.lr)
    plan = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
    for epoch in range(1, o.epochs + 1):
        for sel in torch.randperm(len(r)).split(o.batch):
            err = model(u[sel], i[sel]) - r[sel]
            loss = err.square().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        plan.step()
        print(f"epoch {epoch:>2}  rmse train {rmse(model, u, i, r):.4f}  held out {rmse(model, uv, iv, rv):.4f}")

import argparse
import logging
import os

import numpy as np
import torch
from torch import nn

logger = logging.getLogger("ratings")


class BiasedMF(nn.Module):
    def __init__(self, users, items, k, mean):
        super().__init__()
        self.p = nn.Embedding(users, k, sparse=True)
        self.q = nn.Embedding(items, k, sparse=True)
        self.bu = nn.Embedding(users, 1, sparse=True)
        self.bi = nn.Embedding(items, 1, sparse=True)
        self.mean = nn.Parameter(torch.tensor(float(mean)))
        for e in (self.p, self.q):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.bu, self.bi):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        p, q, bu, bi = self.p(u), self.q(i), self.bu(u).squeeze(1), self.bi(i).squeeze(1)
        return self.mean + bu + bi + (p * q).sum(1), (p.pow(2).sum(1) + q.pow(2).sum(1) + bu.pow(2) + bi.pow(2))


def rmse(model, data, lo=0.5, hi=5.0):
    model.eval()
    with torch.no_grad():
        pred, _ = model(data[0], data[1])
    return (pred.clamp(lo, hi) - data[2]).pow(2).mean().sqrt().item()


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "ratings.csv"))
    ap.add_argument("-k", type=int, default=6)
    ap.add_argument("--epochs", type=int, default=24)
    ap.add_argument("--batch", type=int, default=512)
    ap.add_argument("--lr", type=float, default=6e-3)
    ap.add_argument("--l2", type=float, default=0.06)
    args = ap.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    torch.manual_seed(12)

    table = np.loadtxt(args.data, delimiter=",", skiprows=1)
    table = table[np.random.default_rng(0).permutation(len(table))]
    cut = int(0.85 * len(table))

    def cols(t):
        return torch.tensor(t[:, 0], dtype=torch.long), torch.tensor(t[:, 1], dtype=torch.long), torch.tensor(t[:, 2], dtype=torch.float32)

    train, held = cols(table[:cut]), cols(table[cut:])
    model = BiasedMF(int(table[:, 0].max()) + 1, int(table[:, 1].max()) + 1, args.k, train[2].mean())
    sparse = torch.optim.SparseAdam([p for n, p in model.named_parameters() if n != "mean"], lr=args.lr)
    dense = torch.optim.SGD([model.mean], lr=0.01)
    schedules = [torch.optim.lr_scheduler.LinearLR(o, 1.0, 0.02, args.epochs) for o in (sparse, dense)]
    logger.info("rmse of the training mean %.4f", (held[2] - train[2].mean()).pow(2).mean().sqrt())

    for ep in range(1, args.epochs + 1):
        model.train()
        se = 0.0
        for idx in torch.randperm(cut).split(args.batch):
            u, i, r = (c[idx] for c in train)
            pred, norm = model(u, i)
            err = (pred - r).pow(2)
            loss = (err + args.l2 * norm).mean()
            sparse.zero_grad()
            dense.zero_grad()
            loss.backward()
            sparse.step()
            dense.step()
            se += err.sum().item()
        for s in schedules:
            s.step()
        if ep % 4 == 0:
            logger.info("epoch %d train rmse %.4f held-out rmse %.4f", ep, (se / cut) ** 0.5, rmse(model, held))


if __name__ == "__main__":
    main()

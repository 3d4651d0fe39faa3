#!/usr/bin/env python
"""Biased matrix factorisation of the board-game ratings."""
import argparse

import numpy as np
import torch
import torch.nn as nn

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--ratings", default="ratings.csv.gz")
parser.add_argument("-k", "--factors", type=int, default=8)
parser.add_argument("--epochs", type=int, default=25)
parser.add_argument("--batch", type=int, default=256)
parser.add_argument("--lr", type=float, default=0.01)
parser.add_argument("--decay", type=float, default=2e-5, help="weight decay of the optimizer")
parser.add_argument("--seed", type=int, default=1)


class Factors(nn.Module):
    def __init__(self, players, games, k, mean):
        super().__init__()
        self.p, self.q = nn.Embedding(players, k), nn.Embedding(games, k)
        self.bp, self.bq = nn.Embedding(players, 1), nn.Embedding(games, 1)
        self.mean = nn.Parameter(torch.tensor(mean))
        nn.init.normal_(self.p.weight, std=0.2)
        nn.init.normal_(self.q.weight, std=0.2)
        nn.init.zeros_(self.bp.weight)
        nn.init.zeros_(self.bq.weight)

    def forward(self, u, i):
        dot = (self.p(u) * self.q(i)).sum(-1)
        return self.mean + dot + self.bp(u).squeeze(-1) + self.bq(i).squeeze(-1)


def rmse(model, u, i, r):
    with torch.no_grad():
        return ((model(u, i) - r) ** 2).mean().sqrt().item()


def main(args):
    torch.manual_seed(args.seed)
    table = np.loadtxt(args.ratings, delimiter=",", skiprows=1)
    users = torch.from_numpy(table[:, 0].astype(np.int64))
    games = torch.from_numpy(table[:, 1].astype(np.int64))
    stars = torch.from_numpy(table[:, 2].astype(np.float32))
    order = torch.randperm(len(stars))
    test, train = order[:len(order) // 10], order[len(order) // 10:]
    model = Factors(int(users.max()) + 1, int(games.max()) + 1, args.factors, stars[train].mean().item())
    opt = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=args.decay)
    steps = args.epochs * -(-len(train) // args.batch)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.02, total_iters=steps)
    print(f"{len(train)} ratings to fit, {len(test)} kept back, spread {stars[train].std():.3f}")
    for epoch in range(1, args.epochs + 1):
        for idx in train[torch.randperm(len(train))].split(args.batch):
            loss = ((model(users[idx], games[idx]) - stars[idx]) ** 2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
        if epoch % 5 == 0 or epoch == 1:
            a = rmse(model, users[train], games[train], stars[train])
            b = rmse(model, users[test], games[test], stars[test])
            print(f"epoch {epoch:2d}: fitted {a:.4f}  kept back {b:.4f}")


if __name__ == "__main__":
    main(parser.parse_args())

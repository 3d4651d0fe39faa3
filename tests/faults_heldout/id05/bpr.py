"""Bayesian personalised ranking on album plays (implicit feedback)."""
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Options:
    plays: str = "plays.csv"
    factors: int = 4
    lr: float = 0.01
    reg: float = 0.006
    batch: int = 256
    epochs: int = 18
    seed: int = 8


class Factors(nn.Module):
    def __init__(self, users, items, k):
        super().__init__()
        self.user = nn.Embedding(users, k)
        self.item = nn.Embedding(items, k)
        self.bias = nn.Embedding(items, 1)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.bias(i).squeeze(-1)

    def all_scores(self):
        return self.user.weight @ self.item.weight.T + self.bias.weight.T


def split(pairs, rng):
    """Three plays of each listener go to the test part."""
    test = np.zeros(len(pairs), dtype=bool)
    for u in np.unique(pairs[:, 0]):
        where = np.flatnonzero(pairs[:, 0] == u)
        test[rng.choice(where, 3, replace=False)] = True
    return pairs[~test], pairs[test]


def draw_negatives(users, known, n_items, rng):
    neg = rng.integers(0, n_items, len(users))
    bad = known[users, neg]
    while bad.any():
        neg[bad] = rng.integers(0, n_items, bad.sum())
        bad = known[users, neg]
    return neg


@torch.no_grad()
def ranking(model, known, test):
    model.eval()
    scores = model.all_scores().numpy().copy()
    target = scores[test[:, 0], test[:, 1]]
    scores[known] = -np.inf
    rows = scores[test[:, 0]]
    rank = (rows > target[:, None]).sum(1)
    candidates = np.isfinite(rows).sum(1) - 1
    return (rank < 10).mean(), (1 - rank / candidates).mean()


def main(o=Options()):
    torch.manual_seed(o.seed)
    rng = np.random.default_rng(o.seed)
    pairs = np.loadtxt(o.plays, delimiter=",", skiprows=1, dtype=np.int64)
    n_u, n_i = pairs.max(0) + 1
    train, test = split(pairs, rng)
    known = np.zeros((n_u, n_i), dtype=bool)
    known[train[:, 0], train[:, 1]] = True

    model = Factors(n_u, n_i, o.factors)
    opt = torch.optim.Adam(model.parameters(), lr=o.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, o.epochs)
    for epoch in range(o.epochs):
        model.train()
        order = rng.permutation(len(train))
        neg = draw_negatives(train[:, 0], known, n_i, rng)
        total = 0.0
        for start in range(0, len(order), o.batch):
            b = order[start:start + o.batch]
            u, i, j = (torch.from_numpy(v[b]) for v in (train[:, 0], train[:, 1], neg))
            margin = model(u, i) - model(u, j)
            rank_loss = -F.logsigmoid(margin).mean()
            penalty = (model.user(u).pow(2).sum(1) + model.item(i).pow(2).sum(1) + model.item(j).pow(2).sum(1)).mean()
            loss = rank_loss + o.reg * penalty
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += rank_loss.item() * len(b)
        sched.step()
        hit, auc = ranking(model, known, test)
        print(f"epoch {epoch:2d} bpr {total / len(train):.4f} hit@10 {hit:.3f} auc {auc:.4f}")
    print(f"a random list would hit {10 / (known.shape[1] - known.sum(1).mean()):.3f}")


if __name__ == "__main__":
    main()

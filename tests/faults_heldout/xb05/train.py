"""Book ratings: biased matrix factorisation."""
import csv
import random
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn


@dataclass
class Config:
    factors: int = 6
    lr: float = 0.02
    weight_decay: float = 2e-3
    batch: int = 256
    epochs: int = 30
    seed: int = 21


class MF(nn.Module):
    def __init__(self, n_users, n_items, k, mean):
        super().__init__()
        self.p = nn.Embedding(n_users, k)
        self.q = nn.Embedding(n_items, k)
        self.bu = nn.Embedding(n_users, 1)
        self.bi = nn.Embedding(n_items, 1)
        self.register_buffer("mu", torch.tensor(mean))
        for e in (self.p, self.q):
            nn.init.normal_(e.weight, std=0.1)
        nn.init.zeros_(self.bu.weight)
        nn.init.zeros_(self.bi.weight)

    def forward(self, u, i):
        dot = (self.p(u) * self.q(i)).sum(-1)
        return self.mu + self.bu(u).squeeze(-1) + self.bi(i).squeeze(-1) + dot


def read(path):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    users = {u: k for k, u in enumerate(sorted({r["user"] for r in rows}))}
    items = {b: k for k, b in enumerate(sorted({r["item"] for r in rows}))}
    triples = [(users[r["user"]], items[r["item"]], float(r["rating"])) for r in rows]
    return triples, len(users), len(items)


def tensors(triples):
    u, i, r = zip(*triples)
    return torch.tensor(u), torch.tensor(i), torch.tensor(r)


def rmse(model, data):
    model.eval()
    with torch.no_grad():
        u, i, r = data
        return (model(u, i) - r).pow(2).mean().sqrt().item()


def run(cfg):
    random.seed(cfg.seed)
    torch.manual_seed(cfg.seed)
    triples, n_u, n_i = read(Path(__file__).parent / "ratings.csv")
    random.shuffle(triples)
    cut = int(len(triples) * 0.85)
    train, val = tensors(triples[:cut]), tensors(triples[cut:])
    model = MF(n_u, n_i, cfg.factors, train[2].mean().item())
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    sched = torch.optim.lr_scheduler.StepLR(opt, 10, 0.3)
    print("constant predictor rmse", round(rmse(model, val), 3))
    n = len(train[0])
    for epoch in range(cfg.epochs):
        model.train()
        perm = torch.randperm(n)
        for s in range(0, n, cfg.batch):
            j = perm[s:s + cfg.batch]
            loss = nn.functional.mse_loss(model(train[0][j], train[1][j]), train[2][j])
            opt.zero_grad()
            loss.backward()
            opt.step()
        sched.step()
        print(f"[{epoch:02d}] train rmse {rmse(model, train):.3f}  val rmse {rmse(model, val):.3f}")


if __name__ == "__main__":
    run(Config())

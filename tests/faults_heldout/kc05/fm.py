"""Factorization machine on (user, item, genre, segment) -> rating."""
import csv
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Cfg:
    dim: int = 8
    lr: float = 0.01
    epochs: int = 20
    batch: int = 256
    weight_decay: float = 2e-5
    path: str = "ratings.csv"


FIELDS = ["user", "item", "genre", "segment"]


class FactorizationMachine(nn.Module):
    def __init__(self, sizes, dim):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(1))
        self.linear = nn.ModuleList([nn.Embedding(n, 1) for n in sizes.values()])
        for e in self.linear:
            nn.init.zeros_(e.weight)
        self.factors = {name: nn.Embedding(n, dim) for name, n in sizes.items()}
        for e in self.factors.values():
            nn.init.normal_(e.weight, std=0.1)

    def forward(self, x):
        first = sum(e(x[:, k]) for k, e in enumerate(self.linear)).squeeze(1)
        v = torch.stack([self.factors[f](x[:, k]) for k, f in enumerate(FIELDS)], dim=1)
        second = 0.5 * (v.sum(1).pow(2) - v.pow(2).sum(1)).sum(1)
        return self.bias + first + second


def load(path):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    x = torch.tensor([[int(r[k]) for k in FIELDS] for r in rows])
    y = torch.tensor([float(r["rating"]) for r in rows])
    return x, y


def run(cfg):
    torch.manual_seed(42)
    x, y = load(cfg.path)
    perm = torch.randperm(len(y))
    x, y = x[perm], y[perm]
    cut = int(0.85 * len(y))
    mean = y[:cut].mean()
    sizes = {f: int(x[:, k].max()) + 1 for k, f in enumerate(FIELDS)}
    model = FactorizationMachine(sizes, cfg.dim)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    mse = nn.MSELoss()
    for ep in range(1, cfg.epochs + 1):
        model.train()
        s = 0.0
        for b in torch.randperm(cut).split(cfg.batch):
            loss = mse(model(x[b]), y[b] - mean)
            opt.zero_grad()
            loss.backward()
            opt.step()
            s += loss.item() * len(b)
        model.eval()
        with torch.no_grad():
            test = mse(model(x[cut:]), y[cut:] - mean).sqrt().item()
        print(f"ep {ep:2d}  train rmse {(s / cut) ** 0.5:.4f}  test rmse {test:.4f}")
    print(f"std of test ratings {y[cut:].std().item():.4f}")


if __name__ == "__main__":
    run(Cfg())

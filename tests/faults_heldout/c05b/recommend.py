import json
import math
import random
from pathlib import Path

import torch
from torch import nn

here = Path(__file__).resolve().parent
cfg = json.loads((here / "config.json").read_text())


def load_ratings(path):
    users, items, stars = [], [], []
    with open(path) as fh:
        next(fh)
        for row in fh:
            u, i, s = row.split(",")
            users.append(int(u))
            items.append(int(i))
            stars.append(float(s))
    return torch.tensor(users), torch.tensor(items), torch.tensor(stars)


class BiasedMF(nn.Module):
    def __init__(self, n_users, n_items, k, mean):
        super().__init__()
        self.p = nn.Embedding(n_users, k)
        self.q = nn.Embedding(n_items, k)
        self.bu = nn.Embedding(n_users, 1)
        self.bi = nn.Embedding(n_items, 1)
        self.register_buffer("mean", torch.tensor(mean))
        for e in (self.p, self.q):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.bu, self.bi):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        dot = (self.p(u) * self.q(i)).sum(-1)
        return self.mean + self.bu(u).squeeze(-1) + self.bi(i).squeeze(-1) + dot


def main():
    torch.manual_seed(cfg["seed"])
    random.seed(cfg["seed"])
    u, i, s = load_ratings(here / cfg["ratings"])
    order = torch.randperm(len(s))
    n_val = int(len(s) * cfg["holdout"])
    va, tr = order[:n_val], order[n_val:]

    model = BiasedMF(int(u.max()) + 1, int(i.max()) + 1, cfg["factors"], s[tr].mean().item())
    optimizer = torch.optim.Adam(model.parameters(), **cfg["optimizer"])
    halve = torch.optim.lr_scheduler.StepLR(optimizer, step_size=4, gamma=0.5)

    print(f"{len(tr)} ratings to train on, constant predictor rmse {s[va].std().item():.3f}")
    for epoch in range(cfg["epochs"]):
        sq = 0.0
        for batch in tr[torch.randperm(len(tr))].split(cfg["batch_size"]):
            err = model(u[batch], i[batch]) - s[batch]
            loss = err.pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            sq += err.detach().pow(2).sum().item()
        halve.step()
        with torch.no_grad():
            val = (model(u[va], i[va]) - s[va]).pow(2).mean().sqrt().item()
        print(f"{epoch:3d}  train rmse {math.sqrt(sq / len(tr)):.4f}   held-out rmse {val:.4f}")


main()

"""Matrix factorisation with biases for half-star movie ratings."""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass(frozen=True)
class Settings:
    factors: int = 6
    lr: float = 0.01
    ridge: float = 0.015
    batch_size: int = 256
    max_epochs: int = 20
    patience: int = 3
    seed: int = 99


class BiasedMF(nn.Module):
    def __init__(self, n_users, n_items, factors, mean):
        super().__init__()
        self.p = nn.Embedding(n_users, factors)
        self.q = nn.Embedding(n_items, factors)
        self.bu = nn.Embedding(n_users, 1)
        self.bi = nn.Embedding(n_items, 1)
        self.register_buffer("mean", torch.tensor(mean, dtype=torch.float32))
        for e in (self.p, self.q):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.bu, self.bi):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        dot = (self.p(u) * self.q(i)).sum(1)
        return self.mean + self.bu(u).squeeze(1) + self.bi(i).squeeze(1) + dot


def rmse(model, part):
    model.eval()
    with torch.no_grad():
        pred = model(part[0], part[1]).clamp(0.5, 5.0)
        return ((pred - part[2]) ** 2).mean().sqrt().item()


def run(s: Settings, path="ratings.csv"):
    torch.manual_seed(s.seed)
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    users = torch.tensor(table[:, 0].astype(int) - 1)
    items = torch.tensor(table[:, 1].astype(int) - 1)
    stars = torch.tensor(table[:, 2], dtype=torch.float32)
    order = torch.randperm(len(stars))
    a, b = int(0.8 * len(order)), int(0.9 * len(order))
    train, val, test = [(users[k], items[k], stars[k]) for k in (order[:a], order[a:b], order[b:])]

    model = BiasedMF(int(users.max()) + 1, int(items.max()) + 1, s.factors, train[2].mean().item())
    opt = torch.optim.Adam(model.parameters(), lr=s.lr)
    print(f"{len(stars)} ratings, mean {model.mean:.3f}, std (test) {test[2].std():.3f}")
    best, best_state, waited = float("inf"), None, 0
    for epoch in range(1, s.max_epochs + 1):
        model.train()
        sq = 0.0
        for k in torch.randperm(len(train[2])).split(s.batch_size):
            u, i, r = (t[k] for t in train)
            err = ((model(u, i) - r) ** 2).mean()
            # ridge penalty on the factors that occur in the batch
            reg = s.ridge * (model.p(u).pow(2).sum(1) + model.q(i).pow(2).sum(1)).mean()
            opt.zero_grad()
            (err + reg).backward()
            opt.step()
            sq += err.item() * len(k)
        val_rmse = rmse(model, val)
        print(f"epoch {epoch:2d}  train rmse {(sq / len(train[2])) ** 0.5:.4f}  val rmse {val_rmse:.4f}")
        if val_rmse < best - 1e-4:
            best, waited = val_rmse, 0
            best_state = {k: v.clone() for k, v in model.state_dict().items()}
        else:
            waited += 1
            if waited == s.patience:
                break
    model.load_state_dict(best_state)
    print(f"best val rmse {best:.4f}, test rmse {rmse(model, test):.4f}")


if __name__ == "__main__":
    run(Settings())

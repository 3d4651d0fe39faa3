"""Explicit-feedback recommender, matrix factorisation with biases."""
import argparse
import time

import numpy as np
import torch
from torch import nn


def make_ratings(users=300, items=200, rank=8, density=0.35, seed=0):
    rng = np.random.default_rng(seed)
    p, q = rng.normal(size=(users, rank)), rng.normal(size=(items, rank))
    full = 3.0 + 0.3 * rng.normal(size=(users, 1)) + 0.3 * rng.normal(size=(1, items)) + p @ q.T / np.sqrt(rank)
    mask = rng.random(full.shape) < density
    u, i = np.nonzero(mask)
    r = full[u, i] + 0.1 * rng.normal(size=len(u))
    return torch.from_numpy(u), torch.from_numpy(i), torch.from_numpy(r).float(), users, items


class MF(nn.Module):
    def __init__(self, users, items, dim):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.item = nn.Embedding(items, dim)
        self.user_bias = nn.Embedding(users, 1)
        self.item_bias = nn.Embedding(items, 1)
        self.mean = nn.Parameter(torch.tensor(3.0))
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.3)
        for e in (self.user_bias, self.item_bias):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(-1)
        return self.mean + dot + self.user_bias(u).squeeze(-1) + self.item_bias(i).squeeze(-1)


def rmse(model, u, i, r):
    with torch.no_grad():
        return (model(u, i) - r).square().mean().sqrt().item()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dim", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--wd", type=float, default=1e-5)
    opt = parser.parse_args()

    torch.manual_seed(77)
    u, i, r, n_users, n_items = make_ratings()
    perm = torch.randperm(len(r))
    test, train = perm[: len(r) // 10], perm[len(r) // 10:]
    model = MF(n_users, n_items, opt.dim)
    optimizer = torch.optim.Adam(model.parameters(), lr=opt.lr, weight_decay=opt.wd)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, opt.epochs)
    start = time.perf_counter()
    for epoch in range(opt.epochs):
        for idx in train[torch.randperm(len(train))].split(opt.batch):
            loss = nn.functional.mse_loss(model(u[idx], i[idx]), r[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        scheduler.step()
        if epoch % 3 == 2:
            a, b = rmse(model, u[train], i[train], r[train]), rmse(model, u[test], i[test], r[test])
            print(f"epoch {epoch + 1:2d}  rmse train {a:.3f}  test {b:.3f}  {time.perf_counter() - start:.1f}s")

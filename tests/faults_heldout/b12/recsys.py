"""Biased matrix factorisation (Koren et al.) on our movie club ratings."""
import argparse
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn


class Table(nn.Module):
    """One embedding vector and one scalar bias for each entity."""

    def __init__(self, n, k):
        super().__init__()
        self.vec = nn.Embedding(n, k)
        self.bias = nn.Embedding(n, 1)
        nn.init.normal_(self.vec.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)


class BiasedMF(nn.Module):
    def __init__(self, n_users, n_items, k=8, mean=0.0):
        super().__init__()
        self.users, self.items = Table(n_users, k), Table(n_items, k)
        self.register_buffer("mean", torch.tensor(float(mean)))

    def forward(self, u, i):
        dot = (self.users.vec(u) * self.items.vec(i)).sum(1, keepdim=True)
        return self.mean + self.users.bias(u) + self.items.bias(i) + dot

    def penalty(self, u, i):
        return self.users.vec(u).pow(2).sum(1).mean() + self.items.vec(i).pow(2).sum(1).mean()


def load(path, seed):
    t = np.loadtxt(path, delimiter=",", skiprows=1)
    np.random.default_rng(seed).shuffle(t)
    u, i = (torch.from_numpy(t[:, c].astype(np.int64)) for c in (0, 1))
    r = torch.from_numpy(t[:, 2].astype(np.float32))
    cut = int(0.85 * len(t))
    return (u[:cut], i[:cut], r[:cut]), (u[cut:], i[cut:], r[cut:]), int(u.max()) + 1, int(i.max()) + 1


def rmse(model, data):
    model.eval()
    u, i, r = data
    with torch.no_grad():
        p = model(u, i).squeeze(1).clamp(0.5, 5.0)
    return (p - r).pow(2).mean().sqrt().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--k", type=int, default=4)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--reg", type=float, default=0.02)
    ap.add_argument("--epochs", type=int, default=15)
    args = ap.parse_args()
    torch.manual_seed(6)
    train, test, nu, ni = load(Path(__file__).with_name("ratings.csv"), seed=6)
    model = BiasedMF(nu, ni, args.k, mean=train[2].mean())
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    print(f"global-mean rmse {(test[2] - train[2].mean()).pow(2).mean().sqrt():.4f}")
    for ep in range(args.epochs):
        model.train()
        tot = n = 0
        for idx in torch.randperm(len(train[0])).split(128):
            u, i, r = (t[idx] for t in train)
            err = model(u, i) - r
            loss = err.square().mean() + args.reg * model.penalty(u, i)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item(); n += 1
        print(f"epoch {ep + 1:2d}  loss {tot / n:.4f}  test rmse {rmse(model, test):.4f}")


if __name__ == "__main__":
    main()

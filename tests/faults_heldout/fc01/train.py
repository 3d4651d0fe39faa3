"""Rating prediction: user/item embeddings followed by a small scoring network."""
import argparse
import math

import numpy as np
import torch
import torch.nn as nn


def make_ratings(n_users, n_items, n_obs, rng):
    u_lat = rng.normal(size=(n_users, 5))
    i_lat = rng.normal(size=(n_items, 5))
    u_bias = 0.4 * rng.normal(size=n_users)
    i_bias = 0.4 * rng.normal(size=n_items)
    u = rng.integers(0, n_users, n_obs)
    i = rng.integers(0, n_items, n_obs)
    score = 0.45 * (u_lat[u] * i_lat[i]).sum(1) + u_bias[u] + i_bias[i]
    score = 3.4 + score + 0.25 * rng.normal(size=n_obs)
    return u, i, np.clip(score, 1.0, 5.0).astype(np.float32)


class Scorer(nn.Module):
    def __init__(self, n_users, n_items, dim):
        super().__init__()
        self.users = nn.Embedding(n_users, dim, sparse=True)
        self.items = nn.Embedding(n_items, dim, sparse=True)
        self.net = nn.Sequential(
            nn.Linear(3 * dim, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 1)
        )
        nn.init.normal_(self.users.weight, std=0.3)
        nn.init.normal_(self.items.weight, std=0.3)

    def forward(self, u, i):
        eu, ei = self.users(u), self.items(i)
        return 3.0 + self.net(torch.cat([eu, ei, eu * ei], dim=-1)).squeeze(-1)


def rmse(model, u, i, r):
    model.eval()
    with torch.no_grad():
        err = model(u, i).clamp(1, 5) - r
    return math.sqrt(err.pow(2).mean().item())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=18)
    ap.add_argument("--batch-size", type=int, default=256)
    ap.add_argument("--dim", type=int, default=12)
    ap.add_argument("--emb-lr", type=float, default=5e-3)
    ap.add_argument("--net-lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=3)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    u, i, r = make_ratings(250, 180, 24000, rng)
    u, i, r = torch.from_numpy(u), torch.from_numpy(i), torch.from_numpy(r)
    n_train = 20000
    tr, te = slice(0, n_train), slice(n_train, None)

    model = Scorer(250, 180, args.dim)
    emb_opt = torch.optim.SparseAdam(
        list(model.users.parameters()) + list(model.items.parameters()), lr=args.emb_lr
    )
    net_opt = torch.optim.Adam(model.net.parameters(), lr=args.net_lr)

    print(f"baseline rmse {r[te].sub(r[tr].mean()).pow(2).mean().sqrt().item():.4f}")
    for epoch in range(1, args.epochs + 1):
        model.train()
        order = torch.randperm(n_train)
        total = 0.0
        for lo in range(0, n_train, args.batch_size):
            b = order[lo:lo + args.batch_size]
            pred = model(u[b], i[b])
            loss = nn.functional.mse_loss(pred, r[b])
            emb_opt.zero_grad()
            loss.backward()
            emb_opt.step()
            net_opt.step()
            total += loss.item() * len(b)
        print(
            f"epoch {epoch:2d}  train mse {total / n_train:.4f}  "
            f"test rmse {rmse(model, u[te], i[te], r[te]):.4f}"
        )


if __name__ == "__main__":
    main()

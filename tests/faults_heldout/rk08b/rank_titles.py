"""Rating model for the catalogue: biased factorisation, warm-started from the factors of the nightly export.

Usage: python rank_titles.py --ratings ratings.npz --warm-start factors.npz
"""
import argparse
import logging
import math

import numpy as np
import torch
from torch import nn

log = logging.getLogger("titles")


class BiasedFactors(nn.Module):
    def __init__(self, n_users, n_titles, rank, mean):
        super().__init__()
        self.user_vec = nn.Embedding(n_users, rank)
        self.title_vec = nn.Embedding(n_titles, rank)
        self.user_bias = nn.Embedding(n_users, 1)
        self.title_bias = nn.Embedding(n_titles, 1)
        self.register_buffer("mean", torch.tensor(mean))
        for table in (self.user_bias, self.title_bias):
            nn.init.zeros_(table.weight)
        for table in (self.user_vec, self.title_vec):
            nn.init.normal_(table.weight, std=0.1)

    @torch.no_grad()
    def warm_start(self, factors):
        for table, name in ((self.user_vec, "users"), (self.title_vec, "titles")):
            src = torch.from_numpy(factors[name].astype(np.float32))
            if src.shape != table.weight.shape:
                raise ValueError(f"{name}: {tuple(src.shape)} != {tuple(table.weight.shape)}")
            table.weight.copy_(src)

    def forward(self, u, t):
        dot = (self.user_vec(u) * self.title_vec(t)).sum(1)
        return self.mean + self.user_bias(u).squeeze(1) + self.title_bias(t).squeeze(1) + dot

    def penalty(self, u, t):
        """L2 on the rows in the batch (weighted by how often they are rated)."""
        rows = self.user_vec(u).pow(2).sum(1) + self.title_vec(t).pow(2).sum(1)
        bias = self.user_bias(u).pow(2).sum(1) + self.title_bias(t).pow(2).sum(1)
        return (rows + bias).mean()


def load_ratings(path, holdout, rng):
    z = np.load(path)
    u = torch.from_numpy(z["user"].astype(np.int64))
    t = torch.from_numpy(z["title"].astype(np.int64))
    r = torch.from_numpy(z["rating"].astype(np.float32) / 2)   # half stars
    order = torch.from_numpy(rng.permutation(len(r)))
    cut = int(len(r) * holdout)
    test, train = order[:cut], order[cut:]
    return (u[train], t[train], r[train]), (u[test], t[test], r[test])


@torch.no_grad()
def report(model, data):
    model.eval()
    u, t, r = data
    pred = model(u, t).clamp(0.5, 5.0)
    rmse = (pred - r).pow(2).mean().sqrt().item()
    # pairwise order inside users: share of correctly ordered pairs with different ratings
    good = total = 0
    for user in u.unique()[:100]:
        m = u == user
        dr = r[m][:, None] - r[m][None]
        dp = pred[m][:, None] - pred[m][None]
        mask = dr > 0
        good += int((dp[mask] > 0).sum())
        total += int(mask.sum())
    model.train()
    return rmse, good / max(total, 1)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--ratings", default="ratings.npz")
    ap.add_argument("--warm-start", default="factors.npz")
    ap.add_argument("--rank", type=int, default=8)
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--l2", type=float, default=0.015)
    ap.add_argument("--seed", type=int, default=6)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)

    train, test = load_ratings(args.ratings, 0.15, rng)
    n_users = int(max(train[0].max(), test[0].max())) + 1
    n_titles = int(max(train[1].max(), test[1].max())) + 1
    model = BiasedFactors(n_users, n_titles, args.rank, train[2].mean().item())
    if args.warm_start:
        with np.load(args.warm_start) as factors:
            model.warm_start(factors)
        log.info("factors from %s", args.warm_start)

    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.88)
    u, t, r = train
    log.info("%d users, %d titles, %d ratings for training", n_users, n_titles, len(r))
    for epoch in range(1, args.epochs + 1):
        sq = 0.0
        for idx in torch.randperm(len(r)).split(args.batch):
            err = model(u[idx], t[idx]) - r[idx]
            loss = err.pow(2).mean() + args.l2 * model.penalty(u[idx], t[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sq += err.detach().pow(2).sum().item()
        sched.step()
        rmse, order = report(model, test)
        log.info("epoch %2d  train rmse %.4f  test rmse %.4f  pairs %.3f",
                 epoch, math.sqrt(sq / len(r)), rmse, order)


if __name__ == "__main__":
    main()

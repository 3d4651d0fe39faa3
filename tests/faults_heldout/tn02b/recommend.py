"""
Library recommender: BPR matrix factorisation on the borrowing log.

    python recommend.py --dim 16 --epochs 18
"""
import argparse

import numpy as np
import pandas as pd
import torch
from torch import nn

ap = argparse.ArgumentParser()
ap.add_argument("--log", default="borrowings.csv")
ap.add_argument("--dim", type=int, default=16)
ap.add_argument("--epochs", type=int, default=18)
ap.add_argument("--batch", type=int, default=128)
ap.add_argument("--lr", type=float, default=3e-3)
ap.add_argument("--reg", type=float, default=0.02, help="L2 on the vectors of the batch")
ap.add_argument("--dtype", default="float32", choices=["float32", "float16", "bfloat16"])
ap.add_argument("--seed", type=int, default=3)


class BPRLoss(nn.Module):
    """Bayesian personalised ranking (Rendle et al. 2009)."""

    def __init__(self, reg):
        super().__init__()
        self.reg = reg

    def forward(self, pos, neg, *vectors):
        rank = -nn.functional.logsigmoid((pos - neg).float()).mean()
        penalty = sum(v.float().pow(2).sum(1).mean() for v in vectors)
        return rank + self.reg * penalty


class MF(nn.Module):
    def __init__(self, users, items, dim):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.item = nn.Embedding(items, dim)
        self.pop = nn.Embedding(items, 1)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.pop.weight)

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.pop(i).squeeze(-1)

    def scores(self, u):
        return self.user(u) @ self.item.weight.T + self.pop.weight.T


class NegativeSampler:
    """Uniform over the titles a member has not borrowed yet."""

    def __init__(self, users, items, n_users, n_items, rng):
        self.seen = np.zeros((n_users, n_items), dtype=bool)
        self.seen[users, items] = True
        self.n_items, self.rng = n_items, rng

    def __call__(self, users):
        neg = self.rng.integers(self.n_items, size=len(users))
        clash = self.seen[users, neg]
        while clash.any():
            neg[clash] = self.rng.integers(self.n_items, size=clash.sum())
            clash = self.seen[users, neg]
        return neg


def hit_rate(scores, seen, target, k=10):
    scores = scores.float().masked_fill(torch.from_numpy(seen), -1e4)
    top = scores.topk(k, dim=1).indices
    return (top == target[:, None]).any(1).float().mean().item()


def main():
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)

    log = pd.read_csv(args.log).sort_values("day", kind="stable")
    log["u"] = log.member.astype("category").cat.codes
    log["i"] = log.title.astype("category").cat.codes
    n_users, n_items = log.u.max() + 1, log.i.max() + 1
    last = ~log.duplicated("u", keep="last")          # newest loan of each member is held out
    train, test = log[~last], log[last].sort_values("u")
    u, i = train.u.to_numpy().astype(int), train.i.to_numpy().astype(int)
    target = torch.tensor(test.i.to_numpy().astype(int))
    sampler = NegativeSampler(u, i, n_users, n_items, rng)
    everyone = torch.arange(n_users)

    counts = torch.tensor(np.bincount(i, minlength=n_items)).float().expand(n_users, -1)
    print(f"{n_users} members, {n_items} titles, {len(u)} loans; "
          f"most popular HR@10 {hit_rate(counts, sampler.seen, target):.3f}")

    model = MF(n_users, n_items, args.dim).to(getattr(torch, args.dtype))
    criterion = BPRLoss(args.reg)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)

    for epoch in range(1, args.epochs + 1):
        order, total = rng.permutation(len(u)), 0.0
        for b in range(0, len(order), args.batch):
            rows = order[b:b + args.batch]
            uu, pp = torch.from_numpy(u[rows]), torch.from_numpy(i[rows])
            nn_ = torch.from_numpy(sampler(u[rows]))
            loss = criterion(model(uu, pp), model(uu, nn_),
                             model.user(uu), model.item(pp), model.item(nn_))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(rows)
        with torch.no_grad():
            hr = hit_rate(model.scores(everyone), sampler.seen, target)
        print(f"epoch {epoch:2d}  loss {total / len(u):.4f}  HR@10 {hr:.3f}")


if __name__ == "__main__":
    main()

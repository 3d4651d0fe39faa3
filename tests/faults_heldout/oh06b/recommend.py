#!/usr/bin/env python
"""Graph recommender with pairwise ranking loss. Usage: recommend.py [--batch-size N] [--epochs N]"""
import argparse
import csv

import torch
import torch.nn.functional as F

from propagate import Propagator, normalised_adjacency


def load(path):
    with open(path) as f:
        rows = [(int(r["user"]), int(r["item"]), r["part"]) for r in csv.DictReader(f)]
    pick = lambda part: torch.tensor([(u, i) for u, i, p in rows if p == part]).T
    return pick("fit"), pick("check")


def sample_negatives(users, seen, n_items):
    neg = torch.randint(n_items, users.shape)
    bad = seen[users, neg]
    while bad.any():
        neg[bad] = torch.randint(n_items, (int(bad.sum()),))
        bad = seen[users, neg]
    return neg


@torch.no_grad()
def evaluate(model, seen, check, k=20):
    zu, zi = model()
    scores = (zu @ zi.T).masked_fill(seen, -1e9)
    top = torch.zeros_like(seen).scatter_(1, scores.topk(k).indices, True)
    recall = top[check[0], check[1]].float().mean().item()
    neg = sample_negatives(check[0], seen, zi.shape[0])
    rank_loss = F.softplus(scores[check[0], neg] - scores[check[0], check[1]]).mean().item()
    return rank_loss, recall


def main(args):
    torch.manual_seed(args.seed)
    fit, check = load("events.csv")
    n_users = int(max(fit[0].max(), check[0].max())) + 1
    n_items = int(max(fit[1].max(), check[1].max())) + 1
    seen = torch.zeros(n_users, n_items, dtype=torch.bool)
    seen[fit[0], fit[1]] = True
    adj = normalised_adjacency(fit[0], fit[1], n_users, n_items)
    model = Propagator(adj, n_users, n_items, args.dim, args.hops)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    n = fit.shape[1]
    print(f"{n_users} users, {n_items} items, {n} interactions")
    for epoch in range(1, args.epochs + 1):
        total = 0.0
        for idx in torch.randperm(n).split(args.batch_size):
            u, pos = fit[0, idx], fit[1, idx]
            neg = sample_negatives(u, seen, n_items)
            zu, zi = model()
            gap = (zu[u] * (zi[pos] - zi[neg])).sum(1)
            reg = (model.table[u].square().sum(1)
                   + model.table[n_users + pos].square().sum(1)
                   + model.table[n_users + neg].square().sum(1)).mean() / 2
            loss = F.softplus(-gap).mean() + args.reg * reg
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        rl, rec = evaluate(model, seen, check)
        print(f"epoch {epoch}: loss {total / n:.4f} | check loss {rl:.4f} recall@20 {rec:.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--dim", type=int, default=24)
    parser.add_argument("--hops", type=int, default=2)
    parser.add_argument("--lr", type=float, default=7e-3)
    parser.add_argument("--reg", type=float, default=5e-3)
    parser.add_argument("--epochs", type=int, default=9)
    parser.add_argument("--batch-size", type=int, default=192)
    parser.add_argument("--seed", type=int, default=2)
    main(parser.parse_args())

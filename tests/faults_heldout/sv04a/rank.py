#!/usr/bin/env python
"""Pairwise ranking (BPR) on implicit feedback: users, items, and the item's category.

    python rank.py --batch-size N --epochs E
"""
import argparse
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def parse():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--users", type=int, default=900)
    p.add_argument("--items", type=int, default=300)
    p.add_argument("--per-user", type=int, default=40, help="interactions kept for each user")
    p.add_argument("--dim", type=int, default=24)
    p.add_argument("--batch-size", type=int, default=128)
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--l2", type=float, default=1e-4)
    p.add_argument("--seed", type=int, default=8)
    return p.parse_args()


def simulate(n_users, n_items, per_user, rng):
    """Clicks drawn from a latent taste model with item popularity."""
    category = rng.integers(0, 12, n_items)
    centre = rng.normal(size=(12, 6))
    item = centre[category] + 0.5 * rng.normal(size=(n_items, 6))
    user = rng.normal(size=(n_users, 6))
    popularity = 0.4 * rng.normal(size=n_items)
    score = user @ item.T * 1.1 + popularity
    gumbel = rng.gumbel(size=score.shape)
    clicked = np.argsort(-(score + gumbel), axis=1)[:, : per_user + 5]
    clicked = rng.permuted(clicked, axis=1)
    return clicked[:, :per_user], clicked[:, per_user:], category


class Ranker(nn.Module):
    def __init__(self, n_users, n_items, category, dim):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.cat = nn.Embedding(int(category.max()) + 1, dim)
        self.bias = nn.Embedding(n_items, 1)
        self.register_buffer("category", torch.as_tensor(category))
        for emb in (self.user, self.item, self.cat):
            nn.init.normal_(emb.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def item_vector(self, i):
        return self.item(i) + self.cat(self.category[i])

    def forward(self, u, i):
        return (self.user(u) * self.item_vector(i)).sum(-1) + self.bias(i).squeeze(-1)

    @torch.no_grad()
    def full_scores(self):
        every = torch.arange(self.item.num_embeddings)
        return self.user.weight @ self.item_vector(every).T + self.bias.weight.T


def evaluate(model, train, held):
    """AUC and recall@20 of the held out clicks, items seen in training are left out of the ranking."""
    model.eval()
    scores = model.full_scores()
    auc, rec = [], []
    for u in range(len(held)):
        s = scores[u].clone()
        s[train[u]] = float("-inf")
        pos = s[held[u]]
        neg_mask = torch.ones(len(s), dtype=torch.bool)
        neg_mask[train[u]] = False
        neg_mask[held[u]] = False
        auc.append((pos[:, None] > s[neg_mask][None, :]).float().mean().item())
        top = set(s.topk(20).indices.tolist())
        rec.append(sum(int(j) in top for j in held[u]) / len(held[u]))
    return float(np.mean(auc)), float(np.mean(rec))


def main():
    a = parse()
    torch.manual_seed(a.seed)
    rng = np.random.default_rng(a.seed)
    train, held, category = simulate(a.users, a.items, a.per_user, rng)
    seen = np.zeros((a.users, a.items), dtype=bool)
    seen[np.arange(a.users)[:, None], train] = True
    pairs = np.stack([np.repeat(np.arange(a.users), a.per_user), train.reshape(-1)], 1)

    model = Ranker(a.users, a.items, category, a.dim)
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    print(f"{len(pairs)} interactions, {sum(p.numel() for p in model.parameters())} parameters")

    for epoch in range(1, a.epochs + 1):
        t0 = time.time()
        model.train()
        rng.shuffle(pairs)
        running, count = 0.0, 0
        for start in range(0, len(pairs), a.batch_size):
            chunk = pairs[start : start + a.batch_size]
            u, i = torch.from_numpy(chunk[:, 0]), torch.from_numpy(chunk[:, 1])
            j = rng.integers(0, a.items, len(chunk))
            again = seen[chunk[:, 0], j]
            while again.any():
                j[again] = rng.integers(0, a.items, int(again.sum()))
                again = seen[chunk[:, 0], j]
            j = torch.from_numpy(j)
            diff = model(u, i) - model(u, j)
            reg = model.user(u).pow(2).sum(-1) + model.item(i).pow(2).sum(-1) + model.item(j).pow(2).sum(-1)
            loss = -F.logsigmoid(diff).mean() + a.l2 * reg.mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item() * len(chunk)
            count += len(chunk)
        auc, rec = evaluate(model, train, held)
        print(f"epoch {epoch:2d}  loss {running / count:.4f}  AUC {auc:.3f}  recall@20 {rec:.3f}  {time.time() - t0:.2f}s")


if __name__ == "__main__":
    main()

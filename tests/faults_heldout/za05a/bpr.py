#!/usr/bin/env python
"""Matrix factorisation with BPR loss on implicit book loans.

Every reader has one held-out loan; it is ranked against 99 books that the reader never took.
"""
import logging
import os

import numpy as np
import torch
import torch.nn.functional as F

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("bpr")
BASE = os.path.dirname(os.path.abspath(__file__))

DIM, LR, L2 = 24, 0.01, 0.01
EPOCHS, BATCH, NEG = 12, 512, 99


def read_pairs(name):
    return np.loadtxt(os.path.join(BASE, name), delimiter=",", skiprows=1, dtype=np.int64)


class MF(torch.nn.Module):
    def __init__(self, n_users, n_items, dim):
        super().__init__()
        self.user = torch.nn.Embedding(n_users, dim)
        self.item = torch.nn.Embedding(n_items, dim)
        self.bias = torch.nn.Embedding(n_items, 1)
        for e in (self.user, self.item):
            torch.nn.init.normal_(e.weight, std=0.05)
        torch.nn.init.zeros_(self.bias.weight)

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.bias(i).squeeze(-1)

    def penalty(self, u, i, j):
        return (self.user(u).pow(2).sum(1) + self.item(i).pow(2).sum(1) + self.item(j).pow(2).sum(1)).mean()


class NegativeSampler:
    def __init__(self, pairs, n_users, n_items, rng):
        self.taken = np.zeros((n_users, n_items), dtype=bool)
        self.taken[pairs[:, 0], pairs[:, 1]] = True
        self.n_items, self.rng = n_items, rng

    def draw(self, users):
        j = self.rng.integers(0, self.n_items, size=len(users))
        bad = self.taken[users, j]
        while bad.any():
            j[bad] = self.rng.integers(0, self.n_items, size=int(bad.sum()))
            bad = self.taken[users, j]
        return j


@torch.no_grad()
def ranking(model, users, items, negatives):
    model.eval()
    u = torch.from_numpy(users)
    cand = torch.from_numpy(np.concatenate([items[:, None], negatives], 1))
    scores = model(u[:, None].expand_as(cand), cand)
    rank = (scores[:, 1:] > scores[:, :1]).sum(1)
    hit = (rank < 10).float()
    ndcg = hit / torch.log2(rank.float() + 2)
    return hit.mean().item(), ndcg.mean().item()


def main():
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    loans, held = read_pairs("loans_train.csv"), read_pairs("loans_heldout.csv")
    n_users = 1 + max(loans[:, 0].max(), held[:, 0].max())
    n_items = 1 + max(loans[:, 1].max(), held[:, 1].max())
    log.info("%d readers, %d books, %d loans for training, %d held out", n_users, n_items, len(loans), len(held))

    train_sampler = NegativeSampler(loans, n_users, n_items, rng)
    eval_sampler = NegativeSampler(np.concatenate([loans, held]), n_users, n_items, np.random.default_rng(99))
    eval_neg = np.stack([eval_sampler.draw(held[:, 0]) for _ in range(NEG)], 1)

    model = MF(n_users, n_items, DIM)
    opt = torch.optim.Adam(model.parameters(), lr=LR)
    for epoch in range(1, EPOCHS + 1):
        model.train()
        losses = []
        for idx in np.array_split(rng.permutation(len(loans)), max(1, len(loans) // BATCH)):
            users, pos = loans[idx].T
            neg = train_sampler.draw(users)
            u, i, j = (torch.from_numpy(np.ascontiguousarray(a)) for a in (users, pos, neg))
            rank_loss = F.softplus(model(u, j) - model(u, i)).mean()
            loss = rank_loss + L2 * model.penalty(u, i, j)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(rank_loss.item())
        hr, ndcg = ranking(model, held[:, 0], held[:, 1], eval_neg)
        log.info("epoch %2d  bpr %.4f  hr@10 %.3f  ndcg@10 %.3f", epoch, np.mean(losses), hr, ndcg)


if __name__ == "__main__":
    main()

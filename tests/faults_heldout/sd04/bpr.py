"""Implicit-feedback recommender: matrix factorisation trained on sampled item pairs."""
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Settings:
    users: int = 500
    items: int = 320
    interactions_per_user: int = 24
    dim: int = 24
    lr: float = 0.01
    l2: float = 1e-4
    batch: int = 512
    epochs: int = 20
    seed: int = 77


class Interactions:
    def __init__(self, cfg: Settings):
        rng = np.random.default_rng(cfg.seed)
        taste = rng.normal(size=(cfg.users, 6))
        genre = rng.normal(size=(cfg.items, 6))
        popularity = rng.normal(scale=0.6, size=cfg.items)
        utility = taste @ genre.T * 0.9 + popularity + rng.gumbel(scale=0.7, size=(cfg.users, cfg.items))
        ranked = np.argsort(-utility, axis=1)[:, :cfg.interactions_per_user]
        self.train, self.test = [], []
        self.seen = np.zeros((cfg.users, cfg.items), dtype=bool)
        for u in range(cfg.users):
            chosen = rng.permutation(ranked[u])
            self.test += [(u, i) for i in chosen[:4]]
            self.train += [(u, i) for i in chosen[4:]]
            self.seen[u, chosen[4:]] = True
        self.train = np.array(self.train)
        self.test = np.array(self.test)
        self.rng = rng
        self.n_items = cfg.items

    def sample_unseen(self, users):
        j = self.rng.integers(self.n_items, size=len(users))
        bad = self.seen[users, j]
        while bad.any():
            j[bad] = self.rng.integers(self.n_items, size=bad.sum())
            bad = self.seen[users, j]
        return j

    def batches(self, size):
        order = self.rng.permutation(len(self.train))
        for s in range(0, len(order), size):
            u, i = self.train[order[s:s + size]].T
            j = self.sample_unseen(u)
            yield tuple(torch.from_numpy(a.copy()) for a in (u, i, j))


class MatrixFactorization(nn.Module):
    def __init__(self, cfg: Settings):
        super().__init__()
        self.user = nn.Embedding(cfg.users, cfg.dim)
        self.item = nn.Embedding(cfg.items, cfg.dim)
        self.item_bias = nn.Embedding(cfg.items, 1)
        nn.init.normal_(self.user.weight, std=0.05)
        nn.init.normal_(self.item.weight, std=0.05)
        nn.init.zeros_(self.item_bias.weight)

    def score(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.item_bias(i).squeeze(-1)

    def all_scores(self):
        return self.user.weight @ self.item.weight.T + self.item_bias.weight.T


class Trainer:
    def __init__(self, cfg: Settings):
        torch.manual_seed(cfg.seed)
        self.cfg = cfg
        self.data = Interactions(cfg)
        self.model = MatrixFactorization(cfg)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)

    def pairwise_loss(self, u, i, j):
        margin = self.model.score(u, i) - self.model.score(u, j)
        reg = sum(e.pow(2).sum(-1).mean() for e in (self.model.user(u), self.model.item(i), self.model.item(j)))
        return F.logsigmoid(margin).mean() + self.cfg.l2 * reg

    def epoch(self):
        losses = []
        for u, i, j in self.data.batches(self.cfg.batch):
            loss = self.pairwise_loss(u, i, j)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        return float(np.mean(losses))

    @torch.no_grad()
    def evaluate(self, k=20):
        scores = self.model.all_scores()
        scores[torch.from_numpy(self.data.seen)] = -float("inf")
        u, i = (torch.from_numpy(a.copy()) for a in self.data.test.T)
        positive = scores[u, i]
        candidates = torch.isfinite(scores[u])
        rank = (scores[u] > positive[:, None]).sum(1)
        auc = 1 - rank.float() / (candidates.sum(1) - 1)
        return auc.mean().item(), (rank < k).float().mean().item()

    def fit(self):
        for e in range(1, self.cfg.epochs + 1):
            loss = self.epoch()
            if e % 2 == 0 or e == 1:
                auc, hit = self.evaluate()
                print(f"epoch {e:3d}  loss {loss:8.4f}  auc {auc:.3f}  recall@20 {hit:.3f}", flush=True)


if __name__ == "__main__":
    Trainer(Settings()).fit()

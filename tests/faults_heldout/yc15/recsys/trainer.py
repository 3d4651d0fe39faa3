from dataclasses import dataclass

import torch

from . import metrics
from .data import Interactions, NegativeSampler
from .losses import bpr
from .model import MatrixFactorization


@dataclass
class Params:
    seed: int
    dim: int
    lr: float
    l2: float
    batch: int
    epochs: int
    negatives: int
    k: int

    @classmethod
    def from_section(cls, section):
        return cls(**{k: t(section[k]) for k, t in cls.__annotations__.items()})


class BPRTrainer:
    def __init__(self, p, path):
        torch.manual_seed(p.seed)
        self.p = p
        self.data = Interactions(path)
        self.sampler = NegativeSampler(self.data, p.negatives)
        self.model = MatrixFactorization(self.data.num_users, self.data.num_items, p.dim)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=p.lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, p.epochs)

    def fit(self):
        print(f"{self.data.num_users} users, {self.data.num_items} items, {len(self.data.pairs)} plays")
        for epoch in range(1, self.p.epochs + 1):
            order = torch.randperm(len(self.data.pairs))
            tot = n = 0
            for idx in order.split(self.p.batch):
                u, i = self.data.pairs[idx].unbind(1)
                j = self.sampler(u)
                ranking = bpr(self.model(u, i), self.model(u[:, None], j))
                loss = ranking + self.p.l2 * self.model.penalty(u, i, j)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                tot += ranking.item() * len(idx)
                n += len(idx)
            self.sched.step()
            hr, nd = self.evaluate(self.model.all_scores)
            print(f"epoch {epoch:2d} bpr {tot / n:.4f} hr@{self.p.k} {hr:.4f} ndcg@{self.p.k} {nd:.4f}", flush=True)

    @torch.no_grad()
    def evaluate(self, score):
        users = torch.arange(self.data.num_users)
        target = torch.tensor([self.data.heldout[u] for u in users.tolist()])
        r = metrics.ranks(score(users), target, self.data.mask)
        return metrics.hit_rate(r, self.p.k), metrics.ndcg(r, self.p.k)

    def summary(self):
        pop = self.data.popularity()
        base = self.evaluate(lambda u: pop.expand(len(u), -1))
        print("popularity baseline hr %.4f ndcg %.4f" % base)

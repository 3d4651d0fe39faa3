import json
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass
class Config:
    plays: str = "plays.npz"
    resume: str = "state/latest.pt"
    out: str = ""
    dim: int = 16
    lr: float = 5e-3
    batch: int = 128
    epochs: int = 24
    reg: float = 3e-3
    seed: int = 21


class Factors(nn.Module):
    """score(u, i) = <p_u, q_i> + b_i"""

    def __init__(self, users, items, dim):
        super().__init__()
        self.p = nn.Embedding(users, dim)
        self.q = nn.Embedding(items, dim)
        self.b = nn.Embedding(items, 1)
        nn.init.normal_(self.p.weight, std=0.1)
        nn.init.normal_(self.q.weight, std=0.1)
        nn.init.zeros_(self.b.weight)

    def forward(self, u, i):
        return (self.p(u) * self.q(i)).sum(-1) + self.b(i).squeeze(-1)

    def penalty(self, u, i, j):
        return (self.p(u).pow(2).sum(-1) + self.q(i).pow(2).sum(-1) + self.q(j).pow(2).sum(-1)).mean()


class Plays:
    def __init__(self, path):
        z = np.load(path)
        self.train = torch.from_numpy(z["train"].astype(np.int64))
        self.test = torch.from_numpy(z["test"].astype(np.int64))
        self.n_users, self.n_items = (int(v) for v in z["shape"])
        self.seen = torch.zeros(self.n_users, self.n_items, dtype=torch.bool)
        self.seen[self.train[:, 0], self.train[:, 1]] = True

    def negatives(self, u):
        j = torch.randint(self.n_items, u.shape)
        for _ in range(4):
            bad = self.seen[u, j]
            j = torch.where(bad, torch.randint(self.n_items, u.shape), j)
        return j


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        self.data = Plays(cfg.plays)
        self.model = Factors(self.data.n_users, self.data.n_items, cfg.dim)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.epoch = 0
        if cfg.resume:
            state = torch.load(cfg.resume, weights_only=True)
            self.model.load_state_dict(state["model"])
            self.opt.load_state_dict(state["optimizer"])
            self.epoch = state["epoch"]
            print(f"resumed {cfg.resume} after epoch {self.epoch}")

    def train_epoch(self):
        self.model.train()
        total = 0.0
        pairs = self.data.train
        for idx in torch.randperm(len(pairs)).split(self.cfg.batch):
            u, i = pairs[idx].T
            j = self.data.negatives(u)
            bpr = -nn.functional.logsigmoid(self.model(u, i) - self.model(u, j)).mean()
            loss = bpr + self.cfg.reg * self.model.penalty(u, i, j)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += bpr.item() * len(idx)
        return total / len(pairs)

    @torch.no_grad()
    def evaluate(self, k=10):
        self.model.eval()
        scores = self.model.p.weight @ self.model.q.weight.T + self.model.b.weight.T
        scores[self.data.seen] = -1e9
        u, i = self.data.test.T
        s = scores[u]
        rank = (s > s.gather(1, i[:, None])).sum(1)
        free = (~self.data.seen).sum(1)[u] - 1
        return (rank < k).float().mean().item(), (1 - rank / free).mean().item()

    def fit(self):
        while self.epoch < self.cfg.epochs:
            loss = self.train_epoch()
            self.epoch += 1
            hit, auc = self.evaluate()
            print(json.dumps({"epoch": self.epoch, "bpr": round(loss, 4), "hit@10": round(hit, 4), "auc": round(auc, 4)}))
        if self.cfg.out:
            torch.save({"model": self.model.state_dict(), "optimizer": self.opt.state_dict(), "epoch": self.epoch}, self.cfg.out)

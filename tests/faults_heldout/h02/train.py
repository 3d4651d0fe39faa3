"""Sparse mixture of experts (top-2 of 8) on a tabular target with several operating regimes."""
import math
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    n_samples: int = 8000
    n_features: int = 6
    experts: int = 8
    top_k: int = 2
    hidden: int = 32
    epochs: int = 24
    batch: int = 128
    lr: float = 3e-3
    balance: float = 1e-2
    seed: int = 5


def make_data(cfg):
    rng = np.random.default_rng(cfg.seed)
    x = rng.uniform(-2, 2, size=(cfg.n_samples, cfg.n_features))
    regime = (x[:, 0] > 0).astype(int) + 2 * (x[:, 1] > 0.3).astype(int)
    parts = np.stack([
        np.sin(2 * x[:, 2]) + 0.5 * x[:, 3],
        x[:, 3] * x[:, 4],
        np.abs(x[:, 2]) - x[:, 5],
        0.7 * x[:, 2] ** 2 - x[:, 4],
    ], axis=1)
    y = parts[np.arange(len(x)), regime] + 0.1 * rng.normal(size=len(x))
    return x.astype(np.float32), y.astype(np.float32)


class MoE(nn.Module):
    def __init__(self, d, cfg):
        super().__init__()
        self.cfg = cfg
        self.gate = nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Linear(32, cfg.experts))
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(d, cfg.hidden), nn.GELU(), nn.Linear(cfg.hidden, cfg.hidden), nn.GELU(),
                          nn.Linear(cfg.hidden, 1))
            for _ in range(cfg.experts))

    def forward(self, x):
        scores = self.gate(x)
        probs = scores.softmax(dim=-1)
        top, idx = scores.topk(self.cfg.top_k, dim=-1)
        weight = top.softmax(dim=-1)
        out = x.new_zeros(len(x))
        load = x.new_zeros(self.cfg.experts)
        for e, expert in enumerate(self.experts):
            rows, slot = (idx == e).nonzero(as_tuple=True)
            load[e] = len(rows) / (len(x) * self.cfg.top_k)
            if len(rows) == 0:
                continue
            out = out.index_add(0, rows, weight[rows, slot] * expert(x[rows]).squeeze(-1))
        aux = self.cfg.experts * (load * probs.mean(0)).sum()
        return out, aux, load


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    x, y = make_data(cfg)
    n_train = int(0.8 * len(x))
    mu, sd = x[:n_train].mean(0), x[:n_train].std(0)
    ym, ys = y[:n_train].mean(), y[:n_train].std()
    X = torch.from_numpy((x - mu) / sd)
    Y = torch.from_numpy((y - ym) / ys)
    Xtr, Ytr, Xva, Yva = X[:n_train], Y[:n_train], X[n_train:], Y[n_train:]

    model = MoE(cfg.n_features, cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=1e-4)
    total = cfg.epochs * math.ceil(n_train / cfg.batch)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=total)
    for epoch in range(cfg.epochs):
        model.train()
        order = torch.randperm(n_train)
        tot = 0.0
        for i in range(0, n_train, cfg.batch):
            b = order[i:i + cfg.batch]
            pred, aux, _ = model(Xtr[b])
            mse = F.mse_loss(pred, Ytr[b])
            loss = mse + cfg.balance * aux
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            tot += mse.item() * len(b)
        model.eval()
        with torch.no_grad():
            pred, _, load = model(Xva)
            val = F.mse_loss(pred, Yva).item()
        r2 = 1 - val / Yva.var(unbiased=False).item()
        print(f"{epoch:3d} train mse {tot / n_train:.4f} | val mse {val:.4f} R2 {r2:.3f} | load "
              + " ".join(f"{v:.2f}" for v in load.tolist()))


if __name__ == "__main__":
    main()

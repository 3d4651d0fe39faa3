"""Demand model: entity embeddings for store and article plus numeric covariates."""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass
class Config:
    n_stores: int = 60
    n_items: int = 120
    rows: int = 12000
    emb: int = 4
    hidden: int = 64
    batch: int = 128
    epochs: int = 8
    lr: float = 3e-3
    wd: float = 1e-3


def simulate(cfg, rng):
    store = rng.integers(0, cfg.n_stores, cfg.rows)
    item = rng.integers(0, cfg.n_items, cfg.rows)
    num = rng.normal(size=(cfg.rows, 3)).astype(np.float32)
    base = rng.normal(0, 1.0, cfg.n_stores)[store] + rng.normal(0, 1.2, cfg.n_items)[item]
    slope = rng.normal(-0.5, 0.4, cfg.n_items)[item]
    y = base + slope * num[:, 0] + 0.3 * num[:, 1] + 0.25 * rng.normal(size=cfg.rows)
    return torch.tensor(store), torch.tensor(item), torch.tensor(num), torch.tensor(y, dtype=torch.float32)


class DemandNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.store = nn.Embedding(cfg.n_stores, cfg.emb)
        self.item = nn.Embedding(cfg.n_items, cfg.emb)
        self.fc1 = nn.Linear(2 * cfg.emb + 3, cfg.hidden)
        self.norm = nn.LayerNorm(cfg.hidden)
        self.fc2 = nn.Linear(cfg.hidden, cfg.hidden)
        self.out = nn.Linear(cfg.hidden, 1)

    def forward(self, store, item, num):
        x = torch.cat([self.store(store), self.item(item), num], dim=1)
        x = torch.relu(self.norm(self.fc1(x)))
        x = torch.relu(self.fc2(x))
        return self.out(x).squeeze(1)


def build_optimizer(model, cfg):
    """Weight decay on matrices only, none on biases and norm gains."""
    decay, no_decay = [], []
    for module in model.modules():
        if isinstance(module, nn.Linear):
            decay.append(module.weight)
            no_decay.append(module.bias)
        elif isinstance(module, nn.LayerNorm):
            no_decay.extend(module.parameters())
    groups = [{"params": decay, "weight_decay": cfg.wd}, {"params": no_decay, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=cfg.lr)


@torch.no_grad()
def rmse(model, parts):
    model.eval()
    *x, y = parts
    return (model(*x) - y).pow(2).mean().sqrt().item()


def main():
    cfg = Config()
    torch.manual_seed(5)
    data = simulate(cfg, np.random.default_rng(5))
    cut = int(0.85 * cfg.rows)
    train, val = [t[:cut] for t in data], [t[cut:] for t in data]
    model = DemandNet(cfg)
    opt = build_optimizer(model, cfg)
    loss_fn = nn.MSELoss()
    for epoch in range(cfg.epochs):
        model.train()
        order = torch.randperm(cut)
        running = 0.0
        for idx in order.split(cfg.batch):
            store, item, num, y = (t[idx] for t in train)
            loss = loss_fn(model(store, item, num), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            running += loss.item() * len(idx)
        print(f"epoch {epoch + 1}: train mse {running / cut:.4f}  val rmse {rmse(model, val):.4f}  (target std {val[-1].std():.3f})")


if __name__ == "__main__":
    main()

"""Digit classifier; micro-batches are accumulated so that the model fits beside the other jobs on the box."""
from dataclasses import dataclass

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    epochs: int = 6
    micro_batch: int = 2
    accumulate: int = 16
    lr: float = 2e-3
    width: int = 128
    seed: int = 6


def build(width):
    def block(a, b):
        return [nn.Linear(a, b, bias=False), nn.BatchNorm1d(b), nn.ReLU(inplace=True)]

    return nn.Sequential(*block(64, width), *block(width, width), *block(width, width), nn.Linear(width, 10))


def load(cfg):
    d = load_digits()
    x = torch.tensor(d.data, dtype=torch.float32) / 8.0 - 1.0
    y = torch.tensor(d.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(cfg.seed))
    tr, te = order[:1440], order[1440:]
    train = DataLoader(TensorDataset(x[tr], y[tr]), batch_size=cfg.micro_batch, shuffle=True, drop_last=True)
    test = DataLoader(TensorDataset(x[te], y[te]), batch_size=256)
    return train, test


def train_epoch(model, loader, opt, cfg):
    model.train()
    loss_sum, hits, seen = 0.0, 0, 0
    opt.zero_grad()
    for i, (x, y) in enumerate(loader, 1):
        out = model(x)
        loss = nn.functional.cross_entropy(out, y)
        (loss / cfg.accumulate).backward()
        if i % cfg.accumulate == 0:
            opt.step()
            opt.zero_grad()
        loss_sum += loss.item() * len(y)
        hits += (out.argmax(1) == y).sum().item()
        seen += len(y)
    return loss_sum / seen, hits / seen


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    loss_sum, hits, seen = 0.0, 0, 0
    for x, y in loader:
        out = model(x)
        loss_sum += nn.functional.cross_entropy(out, y, reduction="sum").item()
        hits += (out.argmax(1) == y).sum().item()
        seen += len(y)
    return loss_sum / seen, hits / seen


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    train, test = load(cfg)
    model = build(cfg.width)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    for epoch in range(cfg.epochs):
        tl, ta = train_epoch(model, train, opt, cfg)
        vl, va = evaluate(model, test)
        print(f"{epoch:2d} | train loss {tl:.4f} acc {ta:.4f} | test loss {vl:.4f} acc {va:.4f}")


if __name__ == "__main__":
    main()

from dataclasses import dataclass

import torch
from sklearn.datasets import load_digits
from torch import nn

from net import DeepMLP
from optim import lr_at, make_optimizer


@dataclass
class Settings:
    epochs: int = 60
    batch: int = 360
    lr: float = 0.02
    seed: int = 0


def split(seed):
    d = load_digits()
    x, y = torch.tensor(d.data / 16.0, dtype=torch.float32), torch.tensor(d.target)
    order = torch.randperm(len(y), generator=torch.Generator().manual_seed(seed))
    mean = x[order[:1440]].mean(0)
    x = x - mean
    return x[order[:1440]], y[order[:1440]], x[order[1440:]], y[order[1440:]]


def train_epoch(model, optimizer, criterion, x, y, batch):
    model.train()
    total = 0.0
    for idx in torch.randperm(len(y)).split(batch):
        loss = criterion(model(x[idx]), y[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    return total / len(y)


def main():
    cfg = Settings()
    torch.manual_seed(cfg.seed)
    x, y, xv, yv = split(cfg.seed)
    model, criterion = DeepMLP(64, 10), nn.CrossEntropyLoss()
    for epoch in range(cfg.epochs):
        optimizer = make_optimizer(model, lr_at(epoch, cfg.epochs, cfg.lr))
        loss = train_epoch(model, optimizer, criterion, x, y, cfg.batch)
        if epoch % 5 == 4:
            model.eval()
            with torch.no_grad():
                acc = (model(xv).argmax(1) == yv).float().mean().item()
            print(f"epoch {epoch + 1:2d} lr {optimizer.param_groups[0]['lr']:.4f} loss {loss:.4f} val acc {acc:.4f}")


if __name__ == "__main__":
    main()

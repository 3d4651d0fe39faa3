import csv
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    depth: int = 9
    width: int = 64
    epochs: int = 20
    batch_size: int = 32
    lr: float = 1e-3


class SoilNet(nn.Module):
    def __init__(self, n_in, n_classes, cfg):
        super().__init__()
        self.inp = nn.Linear(n_in, cfg.width)
        self.hidden = nn.ModuleList(nn.Linear(cfg.width, cfg.width) for _ in range(cfg.depth))
        self.out = nn.Linear(cfg.width, n_classes)

    def forward(self, x):
        x = torch.sigmoid(self.inp(x))
        for layer in self.hidden:
            x = torch.sigmoid(layer(x))
        return self.out(x)


def read(path):
    with open(path) as f:
        r = csv.reader(f)
        next(r)
        rows = list(r)
    kinds = sorted({row[-1] for row in rows})
    x = torch.tensor([[float(v) for v in row[:-1]] for row in rows])
    y = torch.tensor([kinds.index(row[-1]) for row in rows])
    return x, y, kinds


def accuracy(net, loader):
    net.eval()
    with torch.no_grad():
        hits = sum((net(x).argmax(1) == y).sum().item() for x, y in loader)
    return hits / len(loader.dataset)


def run(cfg):
    torch.manual_seed(0)
    x, y, kinds = read("soil.csv")
    n = int(len(x) * 0.8)
    mean, std = x[:n].mean(0), x[:n].std(0)
    x = (x - mean) / std
    train = DataLoader(TensorDataset(x[:n], y[:n]), cfg.batch_size, shuffle=True)
    test = DataLoader(TensorDataset(x[n:], y[n:]), 256)
    net = SoilNet(x.shape[1], len(kinds), cfg)
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    for epoch in range(cfg.epochs):
        net.train()
        total = 0.0
        for xb, yb in train:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(net(xb), yb)
            loss.backward()
            opt.step()
            total += loss.item() * len(yb)
        print("epoch %2d | loss %.4f | test accuracy %.3f" % (epoch + 1, total / n, accuracy(net, test)))


if __name__ == "__main__":
    run(Config())

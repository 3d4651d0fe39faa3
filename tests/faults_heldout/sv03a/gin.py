import argparse
import math
import time
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass
class Settings:
    graphs: int = 1000
    max_nodes: int = 14
    kinds: int = 5
    hidden: int = 48
    layers: int = 3
    dropout: float = 0.05
    weight_decay: float = 1e-5
    lr: float = 2e-3
    batch: int = 50
    epochs: int = 40
    seed: int = 2


def read_settings():
    base = Settings()
    parser = argparse.ArgumentParser()
    for key, value in vars(base).items():
        parser.add_argument("--" + key.replace("_", "-"), type=type(value), default=value)
    return Settings(**vars(parser.parse_args()))


def random_molecules(s, rng):
    """Connected random graphs with atom kinds; the property is a sum of atom and bond contributions plus rings."""
    atom = np.array([0.4, -0.9, 1.1, 0.2, -0.5])[: s.kinds]
    bond = rng.normal(0, 0.7, (s.kinds, s.kinds))
    bond = (bond + bond.T) / 2
    A = np.zeros((s.graphs, s.max_nodes, s.max_nodes), np.float32)
    X = np.zeros((s.graphs, s.max_nodes, s.kinds), np.float32)
    mask = np.zeros((s.graphs, s.max_nodes), np.float32)
    y = np.zeros(s.graphs, np.float32)
    for g in range(s.graphs):
        n = rng.integers(6, s.max_nodes + 1)
        kind = rng.choice(s.kinds, n, p=[0.4, 0.2, 0.15, 0.15, 0.1])
        edges = [(i, int(rng.integers(max(0, i - 3), i))) for i in range(1, n)]
        extra = int(rng.integers(0, 4))
        for _ in range(extra):
            i, j = rng.choice(n, 2, replace=False)
            edges.append((int(i), int(j)))
        for i, j in edges:
            A[g, i, j] = A[g, j, i] = 1
        X[g, np.arange(n), kind] = 1
        mask[g, :n] = 1
        a = A[g, :n, :n]
        pairs = np.triu(a).nonzero()
        y[g] = atom[kind].sum() + bond[kind[pairs[0]], kind[pairs[1]]].sum() + 0.3 * (len(pairs[0]) - n + 1)
    y += rng.normal(0, 0.1, s.graphs).astype(np.float32)
    return map(torch.from_numpy, (A, X, mask, y))


class GINLayer(nn.Module):
    def __init__(self, width_in, width, p):
        super().__init__()
        self.eps = nn.Parameter(torch.zeros(1))
        self.mlp = nn.Sequential(nn.Linear(width_in, width), nn.ReLU(), nn.Dropout(p), nn.Linear(width, width))

    def forward(self, A, h, mask):
        h = self.mlp((1 + self.eps) * h + A @ h)
        return torch.relu(h) * mask.unsqueeze(-1)


class PropertyNet(nn.Module):
    def __init__(self, s):
        super().__init__()
        widths = [s.kinds] + [s.hidden] * s.layers
        self.layers = nn.ModuleList(GINLayer(a, b, s.dropout) for a, b in zip(widths, widths[1:]))
        self.head = nn.Sequential(nn.Dropout(s.dropout), nn.Linear(s.hidden, s.hidden), nn.ReLU(), nn.Linear(s.hidden, 1))

    def forward(self, A, X, mask):
        h = X
        for layer in self.layers:
            h = layer(A, h, mask)
        return self.head(h.sum(1) / 10.0).squeeze(-1)


def main():
    s = read_settings()
    torch.manual_seed(s.seed)
    rng = np.random.default_rng(s.seed)
    A, X, mask, y = random_molecules(s, rng)
    cut = int(0.8 * s.graphs)
    mean, std = y[:cut].mean(), y[:cut].std()
    y = (y - mean) / std

    net = PropertyNet(s)
    opt = torch.optim.AdamW(net.parameters(), lr=s.lr, weight_decay=s.weight_decay)
    plan = torch.optim.lr_scheduler.LambdaLR(opt, lambda e: 0.5 * (1 + math.cos(math.pi * e / s.epochs)))
    started = time.time()
    for epoch in range(s.epochs):
        net.train()
        order = torch.randperm(cut)
        train_loss = 0.0
        for idx in order.split(s.batch):
            loss = nn.functional.mse_loss(net(A[idx], X[idx], mask[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            train_loss += loss.item() * len(idx) / cut
        plan.step()
        if (epoch + 1) % 4 == 0:
            net.eval()
            with torch.no_grad():
                pred = net(A[cut:], X[cut:], mask[cut:])
            err = (pred - y[cut:]).pow(2).mean()
            r2 = 1 - err / y[cut:].var(unbiased=False)
            mae = (pred - y[cut:]).abs().mean() * std
            print(f"{epoch + 1:3d}  train mse {train_loss:.4f}  test mse {err:.4f}  R2 {r2:.3f}  MAE {mae:.3f}")
    print(f"done in {time.time() - started:.1f}s")


if __name__ == "__main__":
    main()

"""Soft decision forest for soil type from lab measurements."""
import argparse

import numpy as np
import pandas as pd
import torch
import torch.nn as nn
import torch.nn.functional as F

p = argparse.ArgumentParser()
p.add_argument("--data", default="soil.csv")
p.add_argument("--trees", type=int, default=4)
p.add_argument("--depth", type=int, default=3)
p.add_argument("--temperature", type=float, default=1.0, help="softness of the routing gates")
p.add_argument("--lr", type=float, default=0.01)
p.add_argument("--epochs", type=int, default=40)
p.add_argument("--seed", type=int, default=0)
args = p.parse_args()
torch.manual_seed(args.seed)


class SoftForest(nn.Module):
    def __init__(self, n_in, n_out, trees, depth, temperature):
        super().__init__()
        self.trees, self.depth, self.temperature = trees, depth, temperature
        self.route = nn.Linear(n_in, trees * (2 ** depth - 1))
        self.leaf = nn.Parameter(0.1 * torch.randn(trees, 2 ** depth, n_out))

    def forward(self, x):
        gate = torch.sigmoid(self.route(x) / self.temperature).view(len(x), self.trees, -1)
        prob = torch.ones(len(x), self.trees, 1)
        for level in range(self.depth):
            g = gate[:, :, 2 ** level - 1: 2 ** (level + 1) - 1]
            prob = torch.stack([prob * g, prob * (1 - g)], dim=-1).flatten(2)
        return torch.einsum("btl,tlc->bc", prob, self.leaf)


df = pd.read_csv(args.data)
labels, names = pd.factorize(df.pop("soil"), sort=True)
x = torch.tensor(df.to_numpy(np.float32))
y = torch.tensor(labels)
perm = torch.randperm(len(x), generator=torch.Generator().manual_seed(11))
n_test = len(x) // 4
test, train = perm[:n_test], perm[n_test:]
mean, std = x[train].mean(0), x[train].std(0)
x = (x - mean) / std

model = SoftForest(x.shape[1], len(names), args.trees, args.depth, args.temperature)
opt = torch.optim.Adam(model.parameters(), lr=args.lr)

for epoch in range(1, args.epochs + 1):
    model.train()
    total = 0.0
    for idx in train[torch.randperm(len(train))].split(64):
        loss = F.cross_entropy(model(x[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
    if epoch % 4 == 0:
        model.eval()
        with torch.no_grad():
            out = model(x[test])
            acc = (out.argmax(1) == y[test]).float().mean().item()
            test_loss = F.cross_entropy(out, y[test]).item()
        print(f"epoch {epoch:3d}  train loss {total / len(train):.4f}  test loss {test_loss:.4f}  test acc {acc:.3f}")

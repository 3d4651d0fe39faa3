"""Permeability of core plugs from log responses."""
import json
import math

import torch
from torch import nn

BATCH, EPOCHS, LR = 40, 60, 1e-3


class Plugs:
    def __init__(self, path):
        doc = json.load(open(path))
        cols = doc["columns"]
        table = torch.tensor(doc["rows"], dtype=torch.float32)
        self.x = table[:, [cols.index(c) for c in doc["inputs"]]]
        self.y = table[:, [cols.index(doc["output"])]]

    def split(self, n_test, seed=1):
        perm = torch.randperm(len(self.x), generator=torch.Generator().manual_seed(seed))
        test, train = perm[:n_test], perm[n_test:]
        mean, std = self.x[train].mean(0), self.x[train].std(0)
        x = (self.x - mean) / std
        return (x[train], self.y[train]), (x[test], self.y[test])


class ResidualMLP(nn.Module):
    def __init__(self, d_in, d=32, depth=2):
        super().__init__()
        self.inp = nn.Linear(d_in, d)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(d), nn.Linear(d, d), nn.GELU(), nn.Linear(d, d)) for _ in range(depth)
        )
        self.out = nn.Linear(d, 1)

    def forward(self, x):
        h = self.inp(x)
        for b in self.blocks:
            h = h + b(h)
        return self.out(h)


def r2(model, x, y):
    model.eval()
    with torch.no_grad():
        sse = ((model(x) - y) ** 2).sum()
    model.train()
    return 1.0 - (sse / ((y - y.mean()) ** 2).sum()).item()


torch.manual_seed(8)
(xtr, ytr), (xte, yte) = Plugs("plugs.json").split(n_test=300)
model = ResidualMLP(xtr.shape[1])
optimizer = torch.optim.Adam(model.parameters(), lr=LR)
steps = math.ceil(len(xtr) / BATCH)
sched = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=3 * LR, total_steps=EPOCHS * steps)
for epoch in range(EPOCHS):
    acc = 0.0
    for idx in torch.randperm(len(xtr)).split(BATCH):
        loss = nn.functional.mse_loss(model(xtr[idx]), ytr[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        sched.step()
        acc += loss.item() * len(idx)
    if epoch % 5 == 4:
        print(f"epoch {epoch + 1:3d}  mse {acc / len(xtr):.4g}  R2 train {r2(model, xtr, ytr):.3f}  R2 test {r2(model, xte, yte):.3f}")

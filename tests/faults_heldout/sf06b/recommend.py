#!/usr/bin/env python3
# Biased matrix factorisation on the star ratings export.
import time
import numpy as np
import torch


def read(name):
    a = np.loadtxt(name, delimiter=",", skiprows=1)
    return (torch.as_tensor(a[:, 0], dtype=torch.long),
            torch.as_tensor(a[:, 1], dtype=torch.long),
            torch.as_tensor(a[:, 2], dtype=torch.float32))


class MF(torch.nn.Module):
    def __init__(self, n_users, n_items, rank, offset):
        super().__init__()
        self.P = torch.nn.Embedding(n_users, rank)
        self.Q = torch.nn.Embedding(n_items, rank)
        self.bu = torch.nn.Embedding(n_users, 1)
        self.bi = torch.nn.Embedding(n_items, 1)
        for e in (self.P, self.Q):
            torch.nn.init.normal_(e.weight, std=0.1)
        for e in (self.bu, self.bi):
            torch.nn.init.zeros_(e.weight)
        self.register_buffer("offset", torch.tensor(offset))

    def forward(self, u, i):
        return self.offset + self.bu(u)[:, 0] + self.bi(i)[:, 0] + (self.P(u) * self.Q(i)).sum(1)

    def ridge(self, u, i):
        return sum(t.pow(2).sum(1).mean() for t in (self.P(u), self.Q(i), self.bu(u), self.bi(i)))


def rmse(model, triples):
    model.eval()
    with torch.no_grad():
        u, i, r = triples
        return (model(u, i).clamp(1, 5) - r).pow(2).mean().sqrt().item()


torch.manual_seed(5)
train, held = read("ratings_train.csv"), read("ratings_heldout.csv")
n_users = int(max(train[0].max(), held[0].max())) + 1
n_items = int(max(train[1].max(), held[1].max())) + 1
model = MF(n_users, n_items, rank=8, offset=train[2].mean().item())
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
base = (held[2] - train[2].mean()).pow(2).mean().sqrt().item()
print(f"{len(train[0])} ratings, {n_users} users, {n_items} items; constant guess rmse {base:.3f}")

t0 = time.time()
for epoch in range(18):
    model.train()
    s = 0.0
    for rows in torch.randperm(len(train[0])).split(128):
        u, i, r = (t[rows] for t in train)
        err = (model(u, i) - r).pow(2).mean()
        loss = err + 0.07 * model.ridge(u, i)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        s += err.item() * len(rows)
    print(f"{epoch:3d} train rmse {(s / len(train[0])) ** 0.5:.4f} held-out rmse {rmse(model, held):.4f} [{time.time() - t0:.1f}s]")

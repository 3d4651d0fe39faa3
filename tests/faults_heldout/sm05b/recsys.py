#!/usr/bin/env python
import argparse, os, time
import numpy as np
import torch
import torch.nn as nn

p = argparse.ArgumentParser(description="predict how a listener rates a podcast episode")
p.add_argument("--ratings", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "ratings.npz"))
p.add_argument("--factors", type=int, default=12)
p.add_argument("--epochs", type=int, default=10)
p.add_argument("--batch", type=int, default=256)
p.add_argument("--lr", type=float, default=4e-3)
p.add_argument("--wd", type=float, default=2e-5)
p.add_argument("--seed", type=int, default=2)
a = p.parse_args()

torch.manual_seed(a.seed)
z = np.load(a.ratings)
user, item = torch.from_numpy(z["user"].astype(np.int64)), torch.from_numpy(z["item"].astype(np.int64))
stars = torch.from_numpy(z["half_stars"].astype(np.float32)) / 2
n_user, n_item = int(user.max()) + 1, int(item.max()) + 1
perm = torch.from_numpy(np.random.default_rng(0).permutation(len(user)))
cut = int(len(perm) * 0.85)
tr, te = perm[:cut], perm[cut:]
mu, sd = stars[tr].mean(), stars[tr].std()
target = (stars - mu) / sd


class Factor(nn.Module):
    def __init__(self):
        super().__init__()
        self.u = nn.Embedding(n_user, a.factors)
        self.i = nn.Embedding(n_item, a.factors)
        self.bu = nn.Embedding(n_user, 1)
        self.bi = nn.Embedding(n_item, 1)
        for e in (self.u, self.i):
            nn.init.normal_(e.weight, std=0.15)
        for e in (self.bu, self.bi):
            nn.init.zeros_(e.weight)
        self.mlp = nn.Sequential(nn.Linear(3 * a.factors, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 1))

    def forward(self, u, i):
        x, y = self.u(u), self.i(i)
        h = self.mlp(torch.cat([x, y, x * y], 1))
        return ((x * y).sum(1, keepdim=True) + h + self.bu(u) + self.bi(i)).squeeze(1)


net = Factor()
opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=a.wd)
print(f"{n_user} listeners, {n_item} episodes, {len(tr)} train / {len(te)} test ratings")
for epoch in range(a.epochs):
    t0, tot = time.time(), 0.0
    net.train()
    for b in tr[torch.randperm(len(tr))].split(a.batch):
        loss = nn.functional.mse_loss(net(user[b], item[b]), target[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item() * len(b)
    net.eval()
    with torch.no_grad():
        err = (net(user[te], item[te]) - target[te]) * sd
    print(f"epoch {epoch + 1:2d}  train mse {tot / len(tr):.4f}  test rmse {err.pow(2).mean().sqrt().item():.4f} stars  {time.time() - t0:.2f}s")

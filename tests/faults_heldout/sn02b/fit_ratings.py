# Neural collaborative filtering on a small rating log.
# usage: python fit_ratings.py [--param-dtype float32|bfloat16] [--epochs N]
import argparse
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class NeuralCF(nn.Module):
    def __init__(self, n_users, n_items, dim=24, hidden=64):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        nn.init.normal_(self.user.weight, std=0.3)
        nn.init.normal_(self.item.weight, std=0.3)
        self.fc1 = nn.Linear(3 * dim, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, u, i):
        u, i = self.user(u), self.item(i)
        h = F.gelu(self.fc1(torch.cat([u, i, u * i], dim=-1)))
        h = F.gelu(self.fc2(h))
        return self.out(h).squeeze(-1)


def batches(n, size):
    for chunk in torch.randperm(n).split(size):
        yield chunk


parser = argparse.ArgumentParser()
parser.add_argument("--param-dtype", default="float32", choices=["float32", "bfloat16"])
parser.add_argument("--epochs", type=int, default=30)
parser.add_argument("--batch", type=int, default=128)
parser.add_argument("--lr", type=float, default=2e-4)
parser.add_argument("--seed", type=int, default=5)
args = parser.parse_args()

torch.manual_seed(args.seed)
log = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "ratings.npz"))
users = torch.from_numpy(log["user"].astype("int64"))
items = torch.from_numpy(log["item"].astype("int64"))
stars = torch.from_numpy(log["stars"].astype("float32"))
held = torch.from_numpy(log["held_out"])
center, spread = stars[~held].mean(), stars[~held].std()
target = (stars - center) / spread

dtype = getattr(torch, args.param_dtype)
model = NeuralCF(int(users.max()) + 1, int(items.max()) + 1).to(dtype)
optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)

tu, ti, ty = users[~held], items[~held], target[~held]
vu, vi, vy = users[held], items[held], stars[held]
print(f"{len(ty)} ratings to fit, {len(vy)} held out, parameters in {args.param_dtype}")

for epoch in range(args.epochs):
    model.train()
    running, seen = 0.0, 0
    for idx in batches(len(ty), args.batch):
        pred = model(tu[idx], ti[idx]).float()
        loss = F.mse_loss(pred, ty[idx])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        running += loss.item() * len(idx)
        seen += len(idx)
    model.eval()
    with torch.no_grad():
        guess = model(vu, vi).float() * spread + center
        rmse = F.mse_loss(guess, vy).sqrt().item()
    if (epoch + 1) % 3 == 0:
        print(f"[{epoch + 1:02d}] fit mse {running / seen:.4f}   held-out rmse {rmse:.4f} stars")

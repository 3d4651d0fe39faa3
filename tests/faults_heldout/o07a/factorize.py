"""Matrix factorisation for the ratings dump.

Options come from settings.json; any of them can be overridden on the command line: factorize.py lr=0.001 dim=24
"""
import json
import sys

import numpy as np
import torch
import torch.nn as nn


def read_settings():
    with open("settings.json") as f:
        s = json.load(f)
    for item in sys.argv[1:]:
        key, value = item.split("=", 1)
        s[key] = type(s[key])(value)
    return s


class BiasedMF(nn.Module):
    def __init__(self, n_users, n_items, dim, mean):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        self.register_buffer("mean", torch.tensor(mean))
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.3)
        for e in (self.user_bias, self.item_bias):
            nn.init.normal_(e.weight, std=0.3)

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(-1)
        return self.mean + self.user_bias(u)[:, 0] + self.item_bias(i)[:, 0] + dot


def rmse(model, u, i, r):
    with torch.no_grad():
        return (model(u, i).float() - r).pow(2).mean().sqrt().item()


def main():
    s = read_settings()
    torch.manual_seed(s["seed"])
    f = np.load(s["ratings"])
    u, i = torch.from_numpy(f["user"]).long(), torch.from_numpy(f["item"]).long()
    r = torch.from_numpy(f["rating"])
    order = torch.randperm(len(r))
    test, train = order[: len(r) // 10], order[len(r) // 10 :]
    ut, it, rt = u[train], i[train], r[train]

    dtype = getattr(torch, s["dtype"])
    model = BiasedMF(int(u.max()) + 1, int(i.max()) + 1, s["dim"], rt.mean().item()).to(dtype)
    opt = torch.optim.AdamW(model.parameters(), lr=s["lr"], weight_decay=s["weight_decay"])
    print(f"{len(train)} ratings for training, {len(test)} for testing, always guessing the mean: "
          f"rmse {(r[test] - rt.mean()).pow(2).mean().sqrt():.3f}")

    for epoch in range(1, s["epochs"] + 1):
        se = 0.0
        for b in torch.randperm(len(rt)).split(s["batch_size"]):
            pred = model(ut[b], it[b]).float()
            loss = (pred - rt[b]).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            se += loss.item() * len(b)
        if epoch % 4 == 0:
            print(f"epoch {epoch:3d}  train rmse {(se / len(rt)) ** 0.5:.4f}  test rmse {rmse(model, u[test], i[test], r[test]):.4f}")


if __name__ == "__main__":
    main()

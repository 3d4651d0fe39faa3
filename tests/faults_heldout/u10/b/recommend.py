import json
import logging
import math
import pathlib

import numpy as np
import torch
from torch import nn

logging.basicConfig(format="%(levelname)s %(message)s", level=logging.INFO)
home = pathlib.Path(__file__).resolve().parent
conf = json.loads((home / "settings.json").read_text())


def load_ratings():
    raw = np.loadtxt(home / "ratings.csv", delimiter=",", skiprows=1)
    users, items, stars = raw[:, 0].astype(int), raw[:, 1].astype(int), raw[:, 2]
    return torch.from_numpy(users), torch.from_numpy(items), torch.from_numpy(stars).float()


class BiasedMF(nn.Module):
    def __init__(self, n_users, n_items, rank, mean):
        super().__init__()
        self.p = nn.Embedding(n_users, rank)
        self.q = nn.Embedding(n_items, rank)
        self.bu = nn.Embedding(n_users, 1)
        self.bi = nn.Embedding(n_items, 1)
        self.register_buffer("mean", mean)
        for e in (self.p, self.q):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.bu, self.bi):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        return self.mean + self.bu(u).squeeze(1) + self.bi(i).squeeze(1) + (self.p(u) * self.q(i)).sum(1)


def rmse(model, u, i, r):
    model.eval()
    with torch.no_grad():
        return math.sqrt((model(u, i).clamp(1, 5) - r).pow(2).mean().item())


def main():
    torch.manual_seed(conf["seed"])
    u, i, r = load_ratings()
    perm = torch.randperm(len(r))
    n_test = len(r) // 10
    test, train = perm[:n_test], perm[n_test:]
    model = BiasedMF(int(u.max()) + 1, int(i.max()) + 1, conf["rank"], r[train].mean())
    optimizer = torch.optim.Adam(model.parameters(), lr=conf["lr"], weight_decay=conf["weight_decay"])
    logging.info("%d ratings, mean predictor rmse %.4f", len(r), (r[test] - r[train].mean()).pow(2).mean().sqrt())
    for epoch in range(conf["epochs"]):
        model.train()
        order = train[torch.randperm(len(train))]
        total = 0.0
        for batch in order.split(conf["batch_size"]):
            err = model(u[batch], i[batch]) - r[batch]
            loss = err.pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
        logging.info("epoch %d train rmse %.4f test rmse %.4f", epoch,
                     math.sqrt(total / len(train)), rmse(model, u[test], i[test], r[test]))


main()

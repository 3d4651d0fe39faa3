import csv
import math
import os
import random
from collections import namedtuple

import torch
import torch.nn as nn

Ratings = namedtuple("Ratings", "user item value")
DIR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ratings")


def read(name):
    users, items, values = [], [], []
    with open(os.path.join(DIR, name)) as fh:
        for row in csv.reader(fh):
            users.append(int(row[0]))
            items.append(int(row[1]))
            values.append(float(row[2]))
    return Ratings(torch.tensor(users), torch.tensor(items), torch.tensor(values))


class BiasedMF(nn.Module):
    def __init__(self, n_users, n_items, rank, mean):
        super().__init__()
        self.p = nn.Embedding(n_users, rank)
        self.q = nn.Embedding(n_items, rank)
        self.bu = nn.Embedding(n_users, 1)
        self.bi = nn.Embedding(n_items, 1)
        self.mean = mean
        for e in (self.p, self.q):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.bu, self.bi):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        dot = (self.p(u) * self.q(i)).sum(-1)
        return self.mean + self.bu(u).squeeze(-1) + self.bi(i).squeeze(-1) + dot

    def penalty(self, u, i):
        return (self.p(u) ** 2).sum(-1).mean() + (self.q(i) ** 2).sum(-1).mean() \
            + (self.bu(u) ** 2).mean() + (self.bi(i) ** 2).mean()


def rmse(model, data):
    model.eval()
    with torch.no_grad():
        err = model(data.user, data.item).clamp(1, 5) - data.value
    model.train()
    return math.sqrt((err ** 2).mean().item())


def main(rank=6, lr=6e-3, reg=0.05, batch=256, epochs=20, seed=77):
    random.seed(seed)
    torch.manual_seed(seed)
    train, valid = read("train.csv"), read("valid.csv")
    n_users = int(max(train.user.max(), valid.user.max())) + 1
    n_items = int(max(train.item.max(), valid.item.max())) + 1
    print(f"{n_users} users, {n_items} items, {len(train.value)} / {len(valid.value)} ratings")

    model = BiasedMF(n_users, n_items, rank, train.value.mean().item())
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    schedule = torch.optim.lr_scheduler.ExponentialLR(opt, 0.88)
    for epoch in range(1, epochs + 1):
        order = list(range(len(train.value)))
        random.shuffle(order)
        sq = 0.0
        for s in range(0, len(order), batch):
            j = torch.tensor(order[s:s + batch])
            u, i, r = train.user[j], train.item[j], train.value[j]
            mse = ((model(u, i) - r) ** 2).mean()
            loss = mse + reg * model.penalty(u, i)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sq += mse.item() * len(j)
        schedule.step()
        print(f"epoch {epoch:2d}  train rmse {math.sqrt(sq / len(order)):.4f}  valid rmse {rmse(model, valid):.4f}")
    return model


if __name__ == "__main__":
    main()

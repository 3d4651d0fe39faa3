import configparser
import csv

import torch
from torch import nn

conf = configparser.ConfigParser()
conf.read("fit.ini")
c = conf["mf"]
torch.manual_seed(c.getint("seed"))

with open("ratings.csv") as f:
    rows = [(int(r["user"]), int(r["item"]), float(r["stars"])) for r in csv.DictReader(f)]
users = torch.tensor([r[0] for r in rows])
items = torch.tensor([r[1] for r in rows])
stars = torch.tensor([r[2] for r in rows])
perm = torch.randperm(len(rows))
test, train = perm[:2000], perm[2000:]
mean = stars[train].mean()


class Factors(nn.Module):
    def __init__(self, n_users, n_items, rank):
        super().__init__()
        self.p = nn.Embedding(n_users, rank)
        self.q = nn.Embedding(n_items, rank)
        self.bu = nn.Embedding(n_users, 1)
        self.bi = nn.Embedding(n_items, 1)
        for e in (self.p, self.q):
            nn.init.normal_(e.weight, std=0.2)
        for e in (self.bu, self.bi):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        return mean + self.bu(u).squeeze(1) + self.bi(i).squeeze(1) + (self.p(u) * self.q(i)).sum(1)


model = Factors(int(users.max()) + 1, int(items.max()) + 1, c.getint("rank"))
opt = torch.optim.Adam(model.parameters(), lr=c.getfloat("lr"))
decay = torch.optim.lr_scheduler.ExponentialLR(opt, c.getfloat("gamma"))
reg = c.getfloat("reg")


def rmse(idx):
    with torch.no_grad():
        return (model(users[idx], items[idx]) - stars[idx]).pow(2).mean().sqrt().item()


print(f"always the mean: train {stars[train].std():.3f} test {(stars[test] - mean).pow(2).mean().sqrt():.3f}")
for epoch in range(c.getint("epochs")):
    for b in train[torch.randperm(len(train))].split(c.getint("batch")):
        u, i = users[b], items[b]
        fit = (model(u, i) - stars[b]).pow(2).mean()
        penalty = reg * (model.p(u).pow(2).sum(1) + model.q(i).pow(2).sum(1) + model.bu(u).pow(2).sum(1) + model.bi(i).pow(2).sum(1)).mean()
        opt.zero_grad()
        (fit + penalty).backward()
        opt.step()
    decay.step()
    if epoch % 3 == 2:
        print(f"epoch {epoch + 1} rmse train {rmse(train):.3f} test {rmse(test):.3f}")

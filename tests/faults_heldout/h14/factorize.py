"""Matrix factorisation: sparse embeddings under SparseAdam, the small dense part under Adam."""
import csv
import pathlib

import torch
from torch import nn


class Ratings:
    def __init__(self, path):
        with open(path) as f:
            rows = [(int(r["user"]), int(r["item"]), float(r["rating"])) for r in csv.DictReader(f)]
        t = torch.tensor(rows, dtype=torch.float64)
        order = torch.randperm(len(t), generator=torch.Generator().manual_seed(0))
        t = t[order]
        self.user, self.item, self.rating = t[:, 0].long(), t[:, 1].long(), t[:, 2].float()
        n = len(t)
        self.train, self.val, self.test = slice(0, int(.8 * n)), slice(int(.8 * n), int(.9 * n)), slice(int(.9 * n), n)

    def part(self, s):
        return self.user[s], self.item[s], self.rating[s]


class Factors(nn.Module):
    def __init__(self, users, items, dim, mean):
        super().__init__()
        self.u = nn.Embedding(users, dim, sparse=True)
        self.i = nn.Embedding(items, dim, sparse=True)
        self.bu = nn.Embedding(users, 1, sparse=True)
        self.bi = nn.Embedding(items, 1, sparse=True)
        for e in (self.u, self.i):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.bu, self.bi):
            nn.init.zeros_(e.weight)
        self.scale = nn.Parameter(torch.ones(dim))
        self.mean = nn.Parameter(torch.tensor(mean))

    def forward(self, u, i):
        pu, qi = self.u(u), self.i(i)
        dot = (pu * qi * self.scale).sum(1)
        penalty = pu.pow(2).sum(1).mean() + qi.pow(2).sum(1).mean()
        return self.mean + self.bu(u).squeeze(1) + self.bi(i).squeeze(1) + dot, penalty


def rmse(model, part):
    model.eval()
    with torch.no_grad():
        pred, _ = model(part[0], part[1])
    model.train()
    return (pred - part[2]).pow(2).mean().sqrt().item()


data = Ratings(pathlib.Path(__file__).resolve().parent / "ratings.csv")
train, val, test = data.part(data.train), data.part(data.val), data.part(data.test)
torch.manual_seed(0)
model = Factors(int(data.user.max()) + 1, int(data.item.max()) + 1, 6, train[2].mean().item())
tables = [m.weight for m in model.modules() if isinstance(m, nn.Embedding)]
sparse_opt = torch.optim.SparseAdam(tables, lr=4e-3)
dense_opt = torch.optim.Adam([model.scale, model.mean], lr=1e-3)

print(f"predicting the mean: val rmse {(val[2] - train[2].mean()).pow(2).mean().sqrt():.4f}")
best, keep, waited = float("inf"), None, 0
for epoch in range(20):
    sq = 0.0
    for idx in torch.randperm(len(train[0])).split(256):
        pred, penalty = model(train[0][idx], train[1][idx])
        mse = (pred - train[2][idx]).pow(2).mean()
        loss = mse + 0.02 * penalty
        sparse_opt.zero_grad()
        dense_opt.zero_grad()
        loss.backward()
        sparse_opt.step()
        dense_opt.step()
        sq += mse.item() * len(idx)
    v = rmse(model, val)
    print(f"epoch {epoch:2d}  train rmse {(sq / len(train[0])) ** 0.5:.4f}  val rmse {v:.4f}")
    if v < best - 1e-4:
        best, waited = v, 0
        keep = {k: t.clone() for k, t in model.state_dict().items()}
    else:
        waited += 1
        if waited == 3:
            break
model.load_state_dict(keep)
print(f"test rmse {rmse(model, test):.4f}")

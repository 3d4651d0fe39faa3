"""Biased matrix factorisation of a small ratings table with SGD, no loader: index permutation by hand."""
import numpy as np
import torch
from torch import nn

CFG = dict(users=400, items=250, rank=6, dim=8, per_user=60, lr=4.0, momentum=0.9, batch=500, epochs=12,
           l2=0.02, clip_rms=1e-3, seed=23)


def ratings(c):
    rng = np.random.default_rng(c["seed"])
    u, v = rng.normal(size=(c["users"], c["rank"])), rng.normal(size=(c["items"], c["rank"]))
    bu, bi = 0.5 * rng.normal(size=c["users"]), 0.5 * rng.normal(size=c["items"])
    rows = np.repeat(np.arange(c["users"]), c["per_user"])
    cols = np.concatenate([rng.choice(c["items"], c["per_user"], replace=False) for _ in range(c["users"])])
    r = 3.5 + bu[rows] + bi[cols] + 0.45 * (u[rows] * v[cols]).sum(1) + 0.25 * rng.normal(size=len(rows))
    return torch.tensor(rows), torch.tensor(cols), torch.tensor(r, dtype=torch.float32)


class Factors(nn.Module):
    def __init__(self, c, mean):
        super().__init__()
        self.user = nn.Embedding(c["users"], c["dim"])
        self.item = nn.Embedding(c["items"], c["dim"])
        self.bu = nn.Embedding(c["users"], 1)
        self.bi = nn.Embedding(c["items"], 1)
        self.mean = nn.Parameter(torch.tensor(mean))
        for e, s in ((self.user, 0.2), (self.item, 0.2), (self.bu, 0.0), (self.bi, 0.0)):
            nn.init.normal_(e.weight, std=s)

    def forward(self, i, j):
        return self.mean + (self.bu(i) + self.bi(j)).squeeze(1) + (self.user(i) * self.item(j)).sum(1)

    def penalty(self, i, j):
        return self.user(i).pow(2).sum(1).mean() + self.item(j).pow(2).sum(1).mean()


def clip_by_rms(params, limit):
    """Bound the root mean square of the whole gradient vector by `limit`."""
    params = [p for p in params if p.grad is not None]
    return nn.utils.clip_grad_norm_(params, max_norm=limit)


def rmse(model, i, j, r):
    with torch.no_grad():
        return (model(i, j) - r).pow(2).mean().sqrt().item()


c = CFG
torch.manual_seed(c["seed"])
i, j, r = ratings(c)
perm = torch.randperm(len(r))
cut = int(0.85 * len(r))
tr, te = perm[:cut], perm[cut:]
model = Factors(c, r[tr].mean().item())
opt = torch.optim.SGD([
    {"params": [*model.user.parameters(), *model.item.parameters(), *model.bu.parameters(), *model.bi.parameters()]},
    {"params": [model.mean], "lr": 0.02},
], lr=c["lr"], momentum=c["momentum"])
print(f"{cut} ratings, spread of held-out ratings {r[te].std().item():.3f}")

for epoch in range(c["epochs"]):
    order = tr[torch.randperm(cut)]
    acc, n = 0.0, 0
    for b in order.split(c["batch"]):
        err = (model(i[b], j[b]) - r[b]).pow(2).mean()
        loss = err + c["l2"] * model.penalty(i[b], j[b])
        opt.zero_grad()
        loss.backward()
        clip_by_rms(model.parameters(), c["clip_rms"])
        opt.step()
        acc, n = acc + err.item(), n + 1
    print(f"epoch {epoch:2d}  train mse {acc / n:.4f}  held-out rmse {rmse(model, i[te], j[te], r[te]):.4f}")

import csv
import os
import tomllib

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Factors(nn.Module):
    def __init__(self, users, games, rank, mean):
        super().__init__()
        self.p = nn.Embedding(users, rank)
        self.q = nn.Embedding(games, rank)
        self.bu = nn.Embedding(users, 1)
        self.bg = nn.Embedding(games, 1)
        self.mean = nn.Parameter(torch.tensor(mean))
        for e in (self.p, self.q):
            nn.init.normal_(e.weight, std=0.3)
        for e in (self.bu, self.bg):
            nn.init.zeros_(e.weight)

    def forward(self, u, g):
        p, q = self.p(u), self.q(g)
        score = self.mean + self.bu(u).squeeze(-1) + self.bg(g).squeeze(-1) + (p * q).sum(-1)
        size = p.pow(2).sum(-1) + q.pow(2).sum(-1)
        return score, size


def read(path, every):
    with open(path) as fh:
        rows = [(int(r["player"]), int(r["game"]), float(r["stars"])) for r in csv.DictReader(fh)]
    u, g, s = (torch.tensor(c) for c in zip(*rows))
    held = torch.arange(len(rows)) % every == 0
    return (u[~held], g[~held], s[~held]), (u[held], g[held], s[held]), int(u.max()) + 1, int(g.max()) + 1


with open("conf.toml", "rb") as fh:
    C = tomllib.load(fh)
torch.manual_seed(int(os.environ.get("SEED", C["optim"]["seed"])))
fit, held, n_users, n_games = read(C["data"]["file"], C["data"]["holdout_every"])
net = Factors(n_users, n_games, C["model"]["rank"], fit[2].mean().item())
opt = torch.optim.Adam(net.parameters(), lr=C["optim"]["lr"])
decay = torch.optim.lr_scheduler.CosineAnnealingLR(opt, C["optim"]["epochs"])
loader = DataLoader(TensorDataset(*fit), C["optim"]["batch"], shuffle=True)

for epoch in range(C["optim"]["epochs"]):
    net.train()
    sse = n = 0
    for u, g, s in loader:
        score, size = net(u, g)
        err = (score - s).pow(2)
        loss = err.mean() + C["model"]["l2"] * size.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sse += err.sum().item()
        n += len(s)
    decay.step()
    net.eval()
    with torch.no_grad():
        val = (net(held[0], held[1])[0] - held[2]).pow(2).mean().sqrt().item()
    print(f"epoch {epoch:02d}: train rmse {(sse / n) ** 0.5:.4f}, held-out rmse {val:.4f}")

"""Rating model: user and item embeddings, small MLP on top."""
import csv
import json
import os
import sys

import torch
from torch import nn

HOME = os.path.dirname(os.path.abspath(__file__))


def ratings(name):
    users, items, stars = [], [], []
    with open(os.path.join(HOME, name)) as f:
        for row in csv.DictReader(f):
            users.append(int(row["user"]))
            items.append(int(row["item"]))
            stars.append(float(row["stars"]))
    return torch.tensor(users), torch.tensor(items), torch.tensor(stars)


class Recommender(nn.Module):
    def __init__(self, n_users, n_items, dim, hidden, mean):
        super().__init__()
        self.user_table = nn.Embedding(n_users, dim)
        self.item_table = nn.Embedding(n_items, dim)
        nn.init.normal_(self.user_table.weight, std=0.3)
        nn.init.normal_(self.item_table.weight, std=0.3)
        self.mlp = nn.Sequential(nn.Linear(3 * dim, hidden), nn.ReLU(), nn.Dropout(0.1), nn.Linear(hidden, 1))
        self.register_buffer("mean", torch.tensor(mean))

    def forward(self, u, i):
        a, b = self.user_table(u), self.item_table(i)
        return self.mean + self.mlp(torch.cat([a, b, a * b], 1)).squeeze(1)


class Fit:
    def __init__(self, settings):
        self.s = settings
        torch.manual_seed(settings["seed"])
        self.train, self.valid = ratings("train.csv"), ratings("valid.csv")
        u, i, r = self.train
        self.model = Recommender(int(u.max()) + 1, int(i.max()) + 1, settings["dim"], settings["hidden"], r.mean().item())
        for name, p in self.model.named_parameters():
            p.requires_grad_(not any(name.startswith(f) for f in settings["fixed"]))
        params = [p for p in self.model.parameters() if p.requires_grad]
        self.opt = torch.optim.Adam(params, lr=settings["lr"], weight_decay=settings["decay"])
        self.loss = nn.SmoothL1Loss()

    @torch.no_grad()
    def rmse(self, split):
        self.model.eval()
        u, i, r = split
        e = (self.model(u, i) - r).pow(2).mean().sqrt().item()
        self.model.train()
        return e

    def epoch(self):
        u, i, r = self.train
        tot = 0.0
        for k in torch.randperm(len(r)).split(self.s["batch"]):
            loss = self.loss(self.model(u[k], i[k]), r[k])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            tot += loss.item() * len(k)
        return tot / len(r)

    def go(self):
        base = (self.valid[2] - self.train[2].mean()).pow(2).mean().sqrt().item()
        print(f"constant predictor rmse {base:.4f}")
        for e in range(self.s["epochs"]):
            tr = self.epoch()
            print(f"epoch {e + 1:2d} loss {tr:.4f} valid rmse {self.rmse(self.valid):.4f}")
        torch.save(self.model.state_dict(), os.path.join(HOME, "reco.pt"))


if __name__ == "__main__":
    torch.set_num_threads(1)
    which = sys.argv[1] if len(sys.argv) > 1 else "settings.json"
    with open(os.path.join(HOME, which)) as fh:
        Fit(json.load(fh)).go()

import tomllib
from pathlib import Path

import numpy as np
import torch
from torch import nn

S = tomllib.loads(Path("settings.toml").read_text())


class Ratings:
    def __init__(self, conf):
        raw = np.loadtxt(conf["csv"], delimiter=",", skiprows=1)
        rng = np.random.default_rng(0)
        raw = raw[rng.permutation(len(raw))]
        n = int(len(raw) * conf["test_fraction"])
        self.n_users = int(raw[:, 0].max()) + 1
        self.n_items = int(raw[:, 1].max()) + 1
        self.test, self.train = self._t(raw[:n]), self._t(raw[n:])
        self.mean = self.train[2].mean().item()

    @staticmethod
    def _t(a):
        return torch.tensor(a[:, 0]).long(), torch.tensor(a[:, 1]).long(), torch.tensor(a[:, 2]).float()


class BiasedMF(nn.Module):
    def __init__(self, nu, ni, k, mean):
        super().__init__()
        self.user, self.item = nn.Embedding(nu, k), nn.Embedding(ni, k)
        self.bu, self.bi = nn.Embedding(nu, 1), nn.Embedding(ni, 1)
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.bu, self.bi):
            nn.init.zeros_(e.weight)
        self.mean = mean

    def forward(self, u, i):
        return self.mean + (self.bu(u) + self.bi(i)).squeeze(1) + (self.user(u) * self.item(i)).sum(1)


def rmse(model, part):
    model.eval()
    with torch.no_grad():
        return ((model(part[0], part[1]) - part[2]) ** 2).mean().sqrt().item()


def fit():
    conf = S["fit"]
    torch.manual_seed(conf["seed"])
    data = Ratings(S["data"])
    model = BiasedMF(data.n_users, data.n_items, S["model"]["factors"], data.mean)
    opt = torch.optim.Adam(model.parameters(), lr=conf["lr"], weight_decay=S["model"]["l2"])
    u, i, r = data.train
    step = 0
    for epoch in range(conf["epochs"]):
        model.train()
        window = []
        for b in torch.randperm(len(r)).split(conf["batch_size"]):
            loss = ((model(u[b], i[b]) - r[b]) ** 2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            window.append(loss.item())
            step += 1
            if step % 20 == 0:
                print(f"  step {step} mse {np.mean(window[-20:]):.3f}")
        print(f"epoch {epoch + 1}: train mse {np.mean(window):.4f}, test rmse {rmse(model, data.test):.4f}")
    return model


if __name__ == "__main__":
    fit()

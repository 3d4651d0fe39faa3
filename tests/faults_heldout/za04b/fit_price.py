"""Asking-price model for used cars (MLP on a flat csv export)."""
import csv
import json
import math
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).resolve().parent
CFG = json.loads((HERE / "config.json").read_text())


class Table:
    numeric = ["year", "km", "power_kw", "doors", "owners"]
    categorical = ["make", "fuel", "gearbox"]

    def __init__(self, path):
        with open(path, newline="") as fh:
            self.rows = list(csv.DictReader(fh))
        self.levels = {c: sorted({r[c] for r in self.rows}) for c in self.categorical}

    def matrix(self):
        num = np.array([[float(r[c]) for c in self.numeric] for r in self.rows])
        num[:, 1] = np.log1p(num[:, 1])
        hot = [np.eye(len(v))[[v.index(r[c]) for r in self.rows]] for c, v in self.levels.items()]
        return num, np.concatenate(hot, 1)

    def target(self):
        return np.array([float(r["price"]) for r in self.rows], dtype=np.float32)


class PriceNet(nn.Module):
    def __init__(self, d, widths, p):
        super().__init__()
        layers = []
        for w in widths:
            layers += [nn.Linear(d, w), nn.ReLU(), nn.Dropout(p)]
            d = w
        self.body = nn.Sequential(*layers)
        self.out = nn.Linear(d, 1)

    def forward(self, x):
        return self.out(self.body(x)).squeeze(-1)


class Trainer:
    def __init__(self, net, cfg):
        self.net, self.cfg = net, cfg
        self.opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
        self.crit = nn.MSELoss()

    def epoch(self, x, y):
        self.net.train()
        total = 0.0
        for idx in torch.randperm(len(x)).split(self.cfg["batch_size"]):
            loss = self.crit(self.net(x[idx]), y[idx])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item() * len(idx)
        return total / len(x)

    @torch.no_grad()
    def score(self, x, y):
        self.net.eval()
        res = self.net(x) - y
        mse = res.pow(2).mean().item()
        return math.sqrt(mse), 1 - mse / y.var(unbiased=False).item()


def main():
    torch.manual_seed(CFG["seed"])
    table = Table(HERE / CFG["data"])
    num, hot = table.matrix()
    y = table.target()

    order = np.random.default_rng(CFG["seed"]).permutation(len(y))
    n_val = int(CFG["val_share"] * len(y))
    va, tr = order[:n_val], order[n_val:]
    num = (num - num[tr].mean(0)) / num[tr].std(0)
    x = torch.tensor(np.concatenate([num, hot], 1), dtype=torch.float32)
    y = torch.from_numpy(y)

    trainer = Trainer(PriceNet(x.shape[1], CFG["widths"], CFG["dropout"]), CFG)
    for ep in range(1, CFG["epochs"] + 1):
        loss = trainer.epoch(x[tr], y[tr])
        if ep % 5 == 0 or ep == 1:
            rmse, r2 = trainer.score(x[va], y[va])
            print(f"epoch {ep:3d}  train mse {loss:.4g}  val rmse {rmse:.4g}  val r2 {r2:.3f}")


if __name__ == "__main__":
    main()

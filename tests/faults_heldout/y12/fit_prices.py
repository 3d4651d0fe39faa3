"""Small MLP for apartment prices."""
import csv
import random
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn as nn


@dataclass
class Config:
    table: str = "apartments.csv"
    target: str = "price"
    hidden: int = 48
    lr: float = 2e-3
    weight_decay: float = 1e-4
    batch_size: int = 50
    epochs: int = 35
    holdout: float = 0.2
    seed: int = 9


def read_table(cfg):
    with open(Path(__file__).parent / cfg.table, newline="") as fh:
        rows = list(csv.DictReader(fh))
    cols = [c for c in rows[0] if c != cfg.target]
    x = torch.tensor([[float(r[c]) for c in cols] for r in rows])
    y = torch.tensor([[float(r[cfg.target])] for r in rows])
    return x, y


def split(n, share, seed):
    ids = list(range(n))
    random.Random(seed).shuffle(ids)
    k = int(n * share)
    return ids[k:], ids[:k]


class PriceNet(nn.Module):
    def __init__(self, mean, std, hidden):
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("std", std)
        self.body = nn.Sequential(
            nn.Linear(len(mean), hidden), nn.SiLU(),
            nn.Linear(hidden, hidden), nn.SiLU(),
            nn.Linear(hidden, 1),
        )

    def forward(self, x):
        return self.body((x - self.mean) / self.std)


def r2(pred, y):
    return (1 - ((pred - y) ** 2).sum() / ((y - y.mean()) ** 2).sum()).item()


def main(cfg=Config()):
    torch.manual_seed(cfg.seed)
    x, y = read_table(cfg)
    tr, va = split(len(x), cfg.holdout, cfg.seed)
    net = PriceNet(x[tr].mean(0), x[tr].std(0), cfg.hidden)
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    mse = nn.MSELoss()
    ds = torch.utils.data.TensorDataset(x[tr], y[tr])
    dl = torch.utils.data.DataLoader(ds, batch_size=cfg.batch_size, shuffle=True)
    for epoch in range(1, cfg.epochs + 1):
        net.train()
        tot = 0.0
        for xb, yb in dl:
            loss = mse(net(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(xb)
        if epoch % 5 == 0:
            net.eval()
            with torch.no_grad():
                score = r2(net(x[va]), y[va])
            print(f"epoch {epoch:3d} | train mse {tot / len(ds):.5g} | holdout R2 {score:.4f}")


if __name__ == "__main__":
    main()

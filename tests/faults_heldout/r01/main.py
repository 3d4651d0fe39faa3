"""Predict compressive strength from mix proportions."""
import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    csv: str = "mixes.csv"
    hidden: int = 64
    batch_size: int = 64
    lr: float = 3e-3
    epochs: int = 40
    val_frac: float = 0.2
    seed: int = 11


def read_table(path):
    with open(path) as fh:
        rows = list(csv.reader(fh))
    arr = np.array(rows[1:], dtype=np.float32)
    return arr[:, :-1], arr[:, -1]


def make_loaders(cfg):
    X, y = read_table(Path(__file__).parent / cfg.csv)
    order = np.random.default_rng(cfg.seed).permutation(len(X))
    n_val = int(len(X) * cfg.val_frac)
    va, tr = order[:n_val], order[n_val:]
    mu, sd = X[tr].mean(0), X[tr].std(0)
    ymu, ysd = y[tr].mean(), y[tr].std()

    def ds(idx):
        return TensorDataset(torch.from_numpy((X[idx] - mu) / sd),
                             torch.from_numpy((y[idx] - ymu) / ysd))

    return (DataLoader(ds(tr), cfg.batch_size, shuffle=True),
            DataLoader(ds(va), 256), float(ysd))


class StrengthNet(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_in, hidden), nn.ReLU(),
            nn.Linear(hidden, hidden), nn.ReLU())
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.out(self.body(x))


def squared_error(pred, target):
    return ((pred - target) ** 2).mean()


@torch.no_grad()
def evaluate(model, loader, scale):
    model.eval()
    p, t = [], []
    for xb, yb in loader:
        p.append(model(xb).flatten())
        t.append(yb)
    p, t = torch.cat(p), torch.cat(t)
    rmse = (p - t).pow(2).mean().sqrt().item() * scale
    r2 = 1 - ((p - t).pow(2).sum() / (t - t.mean()).pow(2).sum()).item()
    return rmse, r2


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    train_dl, val_dl, scale = make_loaders(cfg)
    model = StrengthNet(train_dl.dataset.tensors[0].shape[1], cfg.hidden)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    for epoch in range(1, cfg.epochs + 1):
        model.train()
        running = 0.0
        for xb, yb in train_dl:
            opt.zero_grad()
            loss = squared_error(model(xb), yb)
            loss.backward()
            opt.step()
            running += loss.item() * len(xb)
        rmse, r2 = evaluate(model, val_dl, scale)
        if epoch % 5 == 0 or epoch == 1:
            print(f"epoch {epoch:3d}  train mse {running / len(train_dl.dataset):.4f}  "
                  f"val rmse {rmse:.2f} MPa  r2 {r2:.3f}")


if __name__ == "__main__":
    main()

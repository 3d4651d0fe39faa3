import csv
import tomllib
from pathlib import Path

import numpy as np
import torch
from torch import nn

BASE = Path(__file__).resolve().parent


def read_listings(path, target):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    columns = [c for c in rows[0] if c != target]
    features = np.array([[float(r[c]) for c in columns] for r in rows], dtype=np.float32)
    price = np.array([float(r[target]) for r in rows], dtype=np.float32)
    return features, price, columns


def split(n, holdout, seed):
    order = np.random.default_rng(seed).permutation(n)
    cut = int(n * holdout)
    return order[cut:], order[:cut]


class PriceModel(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        dims = [n_in, *hidden]
        blocks = []
        for a, b in zip(dims[:-1], dims[1:]):
            blocks += [nn.Linear(a, b), nn.ReLU()]
        self.body = nn.Sequential(*blocks)
        self.head = nn.Linear(dims[-1], 1)

    def forward(self, x):
        return self.head(self.body(x)).squeeze(-1)


def report(model, x, y):
    model.eval()
    with torch.no_grad():
        pred = model(x)
    mape = ((pred - y).abs() / y).mean().item()
    r2 = 1 - ((pred - y) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    return mape, r2.item()


def run(cfg):
    torch.manual_seed(cfg["run"]["seed"])
    features, price, columns = read_listings(BASE / cfg["data"]["file"], cfg["data"]["target"])
    print("features:", ", ".join(columns))
    train_idx, test_idx = split(len(price), cfg["data"]["holdout"], cfg["run"]["seed"])
    mu, sd = features[train_idx].mean(0), features[train_idx].std(0)
    features = (features - mu) / sd

    x, y = torch.from_numpy(features[train_idx]), torch.from_numpy(price[train_idx])
    x_test, y_test = torch.from_numpy(features[test_idx]), torch.from_numpy(price[test_idx])

    model = PriceModel(x.shape[1], cfg["model"]["hidden"])
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg["optim"]["lr"],
                                 weight_decay=cfg["optim"]["weight_decay"])
    loss_fn = nn.MSELoss()
    bs = cfg["run"]["batch_size"]

    for epoch in range(1, cfg["run"]["epochs"] + 1):
        model.train()
        perm = torch.randperm(len(x))
        seen = 0.0
        for k in range(0, len(x), bs):
            sel = perm[k:k + bs]
            optimizer.zero_grad()
            loss = loss_fn(model(x[sel]), y[sel])
            loss.backward()
            optimizer.step()
            seen += loss.item() * len(sel)
        if epoch % 4 == 0 or epoch == 1:
            mape, r2 = report(model, x_test, y_test)
            print(f"epoch {epoch:3d}  train mse {seen / len(x):.6g}  test mape {100 * mape:.1f}%  test r2 {r2:.3f}")


if __name__ == "__main__":
    with open(BASE / "settings.toml", "rb") as fh:
        run(tomllib.load(fh))

"""Hourly cooling-load forecast for one building from weather and schedule columns."""
import csv
import math
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

HERE = Path(__file__).resolve().parent


@dataclass
class Config:
    train_csv: Path = HERE / "load_2021.csv"
    valid_csv: Path = HERE / "load_2022.csv"
    features: tuple = ("temp_out", "dew_point", "wind", "solar", "occupancy")
    target: str = "load_kw"
    hidden: int = 64
    lr: float = 2e-3
    weight_decay: float = 1e-4
    batch_size: int = 64
    epochs: int = 14
    seed: int = 0


def read_table(path, cfg):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    feats = []
    for r in rows:
        hour = 2 * math.pi * int(r["hour"]) / 24
        feats.append([float(r[c]) for c in cfg.features] + [math.sin(hour), math.cos(hour), float(r["weekend"])])
    x = torch.tensor(feats, dtype=torch.float32)
    y = torch.tensor([float(r[cfg.target]) for r in rows]).unsqueeze(1)
    return x, y


class Standardizer:
    def fit(self, t):
        self.mean = t.mean(0, keepdim=True)
        self.std = t.std(0, keepdim=True)
        return self

    def __call__(self, t):
        return (t - self.mean) / self.std

    def inverse(self, t):
        return t * self.std + self.mean


class LoadNet(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.inp = nn.Linear(n_in, hidden)
        self.mid = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        h = torch.nn.functional.silu(self.inp(x))
        h = h + torch.nn.functional.silu(self.mid(h))
        return self.out(h)


def evaluate(model, x, y, y_scale):
    model.eval()
    with torch.no_grad():
        z = model(x)
        mse = nn.functional.mse_loss(z, y_scale(y)).item()
        pred = y_scale.inverse(z)
    mae = (pred - y).abs().mean().item()
    r2 = 1 - ((pred - y) ** 2).sum().item() / ((y - y.mean()) ** 2).sum().item()
    return mse, mae, r2


def main(cfg):
    torch.manual_seed(cfg.seed)
    x_train, y_train = read_table(cfg.train_csv, cfg)
    x_valid, y_valid = read_table(cfg.valid_csv, cfg)
    x_scale = Standardizer().fit(x_train)
    y_scale = Standardizer().fit(y_train)

    loader = DataLoader(
        TensorDataset(x_scale(x_train), y_scale(y_train)), batch_size=cfg.batch_size, shuffle=True, drop_last=True
    )
    model = LoadNet(x_train.shape[1], cfg.hidden)
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, cfg.epochs)

    for epoch in range(cfg.epochs):
        model.train()
        losses = []
        for xb, yb in loader:
            loss = nn.functional.mse_loss(model(xb), yb)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        scheduler.step()
        mse, mae, r2 = evaluate(model, x_scale(x_valid), y_valid, y_scale)
        print(f"epoch {epoch:2d} | mse {sum(losses) / len(losses):.4f} | valid mse {mse:.4f}  mae {mae:.1f} kW  R2 {r2:.3f}")


if __name__ == "__main__":
    main(Config())

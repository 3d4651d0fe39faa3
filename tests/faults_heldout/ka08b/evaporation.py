"""Daily pan evaporation from the weather station log."""
from __future__ import annotations

import csv
import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn


@dataclass
class Settings:
    log: Path
    scaler: Path
    columns: list[str]
    target: str
    epochs: int
    batch_size: int
    lr: float
    holdout: int

    @classmethod
    def read(cls, path: str) -> "Settings":
        raw = tomllib.loads(Path(path).read_text())
        f, t = raw["files"], raw["training"]
        return cls(Path(f["log"]), Path(f["scaler"]), raw["features"]["columns"], raw["features"]["target"],
                   t["epochs"], t["batch_size"], t["lr"], t["holdout"])


@dataclass
class Table:
    x: Tensor
    y: Tensor

    def __len__(self) -> int:
        return len(self.y)

    def take(self, idx: Tensor) -> "Table":
        return Table(self.x[idx], self.y[idx])


def read_table(s: Settings) -> Table:
    stats = json.loads(s.scaler.read_text())
    with s.log.open(newline="") as f:
        rows = list(csv.DictReader(f))

    def column(name: str) -> Tensor:
        values = torch.tensor([float(r[name]) for r in rows])
        return (values - stats[name]["mean"]) / stats[name]["std"]

    return Table(torch.stack([column(c) for c in s.columns], dim=1), column(s.target))


def make_model(n_inputs: int) -> nn.Module:
    return nn.Sequential(
        nn.Linear(n_inputs, 32), nn.SiLU(),
        nn.Linear(32, 32), nn.SiLU(),
        nn.Linear(32, 1), nn.Flatten(0),
    )


def r2(pred: Tensor, true: Tensor) -> float:
    return 1.0 - ((pred - true) ** 2).sum().item() / ((true - true.mean()) ** 2).sum().item()


def fit(s: Settings) -> nn.Module:
    torch.manual_seed(17)
    table = read_table(s)
    order = torch.randperm(len(table))
    train, held = table.take(order[s.holdout:]), table.take(order[:s.holdout])
    model = make_model(train.x.shape[1])
    opt = torch.optim.Adam(model.parameters(), lr=s.lr)
    loss_fn = nn.MSELoss()

    for epoch in range(s.epochs):
        model.train()
        summed = 0.0
        for idx in torch.randperm(len(train)).split(s.batch_size):
            batch = train.take(idx)
            loss = loss_fn(model(batch.x), batch.y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            summed += loss.item() * len(batch)
        model.eval()
        with torch.no_grad():
            pred = model(held.x)
        if epoch % 4 == 3:
            print(f"epoch {epoch + 1:3d}  mse {summed / len(train):.4f}  "
                  f"held-out mse {loss_fn(pred, held.y).item():.4f}  R2 {r2(pred, held.y):.3f}")
    return model


if __name__ == "__main__":
    fit(Settings.read("station.toml"))

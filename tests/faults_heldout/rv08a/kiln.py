"""Clinker quality: predict free lime from the process log of a kiln."""
import csv
import math
import pathlib
import tomllib

import torch
import torch.nn as nn

HERE = pathlib.Path(__file__).resolve().parent


def read_table(path, target):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    inputs = [c for c in rows[0] if c != target]
    x = torch.tensor([[float(r[c]) for c in inputs] for r in rows])
    y = torch.tensor([float(r[target]) for r in rows])
    return x, y


class Standardizer(nn.Module):
    def __init__(self, x):
        super().__init__()
        self.register_buffer("mean", x.mean(0))
        self.register_buffer("std", x.std(0))

    def forward(self, x):
        return (x - self.mean) / self.std

    def undo(self, z):
        return z * self.std + self.mean


class Regressor(nn.Module):
    def __init__(self, n_in, width, depth, dropout):
        super().__init__()
        layers = []
        for _ in range(depth):
            layers += [nn.Linear(n_in, width), nn.LayerNorm(width), nn.GELU(), nn.Dropout(dropout)]
            n_in = width
        self.net = nn.Sequential(*layers, nn.Linear(n_in, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


def train(cfg):
    torch.manual_seed(cfg["seed"])
    x, y = read_table(HERE / cfg["data"]["train"], cfg["data"]["target"])
    x_val, y_val = read_table(HERE / cfg["data"]["val"], cfg["data"]["target"])
    scale_x, scale_y = Standardizer(x), Standardizer(y)
    x, y, x_val, y_val = scale_x(x), scale_y(y), scale_x(x_val), scale_y(y_val)

    model = Regressor(x.shape[1], **cfg["model"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["fit"]["lr"], weight_decay=cfg["fit"]["weight_decay"])
    steps_per_epoch = math.ceil(len(x) / cfg["fit"]["batch"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["fit"]["epochs"] * steps_per_epoch)
    for epoch in range(1, cfg["fit"]["epochs"] + 1):
        model.train()
        sum_sq = 0.0
        for idx in torch.randperm(len(x)).split(cfg["fit"]["batch"]):
            loss = nn.functional.mse_loss(model(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            sum_sq += loss.item() * len(idx)
        if epoch % cfg["fit"]["log_every"] == 0:
            model.eval()
            with torch.no_grad():
                val = nn.functional.mse_loss(model(x_val), y_val).item()
            print(f"{epoch:4d}  train {sum_sq / len(x):.4f}  val {val:.4f}  rmse {val ** 0.5 * scale_y.std.item():.3f} %CaO")
    return model, scale_x, scale_y


if __name__ == "__main__":
    train(tomllib.loads((HERE / "kiln.toml").read_text()))

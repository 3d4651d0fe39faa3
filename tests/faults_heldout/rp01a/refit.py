"""Refit the heat-pump COP model on the current season, starting from the last saved run."""
import argparse
import csv
import json

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

NUM = ["t_source", "t_supply", "t_return", "flow_lpm", "humidity", "rpm", "fan_pct", "age_months", "glycol_pct"]


def read(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    x = np.array([[float(r[c]) for c in NUM] for r in rows], dtype=np.float32)
    y = np.array([float(r["cop"]) for r in rows], dtype=np.float32)
    return x, y


class CopNet(nn.Module):
    def __init__(self, n_in, width):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_in, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
        )
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(self.body(x)).squeeze(-1)


@torch.no_grad()
def rmse(model, x, y):
    model.eval()
    err = model(x) - y
    model.train()
    return err.pow(2).mean().sqrt().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="refit.json")
    args = ap.parse_args()
    with open(args.config) as fh:
        cfg = json.load(fh)
    torch.manual_seed(cfg["seed"])

    ckpt = torch.load(cfg["resume"], map_location="cpu", weights_only=True)
    mean, std = ckpt["x_mean"], ckpt["x_std"]

    x, y = read(cfg["data"])
    order = np.random.default_rng(cfg["seed"]).permutation(len(x))
    cut = int(0.8 * len(x))
    x = (torch.from_numpy(x) - mean) / std
    y = torch.from_numpy(y)
    tr, va = order[:cut], order[cut:]
    loader = DataLoader(TensorDataset(x[tr], y[tr]), batch_size=cfg["batch_size"], shuffle=True)

    model = CopNet(len(NUM), cfg["width"])
    model.load_state_dict(ckpt["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    optimizer.load_state_dict(ckpt["optimizer"])
    start = ckpt["epoch"] + 1

    print(f"continuing at epoch {start}, valid rmse {rmse(model, x[va], y[va]):.4f}")
    for epoch in range(start, start + cfg["epochs"]):
        total = 0.0
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(xb), yb)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(xb)
        print(f"epoch {epoch:3d} train mse {total / len(tr):.5f} valid rmse {rmse(model, x[va], y[va]):.4f}")

    torch.save({"model": model.state_dict(), "x_mean": mean, "x_std": std}, "cop_current.pt")


if __name__ == "__main__":
    main()

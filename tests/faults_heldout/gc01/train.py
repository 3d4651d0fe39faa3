"""Daily energy use of single-family houses from building data and weather."""
import argparse
import csv
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

HERE = Path(__file__).parent
FEATURES = ["floor_area", "occupants", "t_outdoor", "insulation", "heat_pump", "year_built"]


def read_table(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    x = np.array([[float(r[k]) for k in FEATURES] for r in rows], dtype=np.float32)
    y = np.array([float(r["energy_wh"]) for r in rows], dtype=np.float32)
    return x, y


class EnergyNet(nn.Module):
    def __init__(self, n_in, width=64):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_in, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, 1),
        )

    def forward(self, x):
        return self.body(x).squeeze(-1)


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        pred = model(x)
    mae = (pred - y).abs().mean().item()
    r2 = 1 - ((pred - y) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    return mae, r2.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=60)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--seed", type=int, default=11)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    x, y = read_table(HERE / "meters.csv")
    order = np.random.default_rng(args.seed).permutation(len(x))
    tr, va = order[:1100], order[1100:]

    mu, sd = x[tr].mean(0), x[tr].std(0)
    x = (x - mu) / sd

    xt, yt = torch.from_numpy(x[tr]), torch.from_numpy(y[tr])
    xv, yv = torch.from_numpy(x[va]), torch.from_numpy(y[va])
    loader = DataLoader(TensorDataset(xt, yt), batch_size=args.batch_size, shuffle=True)

    model = EnergyNet(len(FEATURES))
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    criterion = nn.MSELoss()

    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        for xb, yb in loader:
            loss = criterion(model(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
        if epoch % 5 == 0:
            mae, r2 = evaluate(model, xv, yv)
            print(f"epoch {epoch:3d}  train mse {total / len(xt):.4g}  val mae {mae:.1f} Wh  val R2 {r2:.3f}")


if __name__ == "__main__":
    main()

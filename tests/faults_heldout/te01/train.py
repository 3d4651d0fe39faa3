"""Hourly rentals at a bike dock."""
import argparse

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from stopping import EarlyStopping


def load(path):
    df = pd.read_csv(path)
    h = df["hour"].to_numpy()
    cont = np.stack([
        np.sin(2 * np.pi * h / 24), np.cos(2 * np.pi * h / 24),
        df["temp_c"], np.log1p(df["rain_mm"]), df["wind_ms"],
    ], axis=1).astype("float32")
    cat = df[["hour", "weekday"]].to_numpy()
    y = np.sqrt(df["rentals"].to_numpy()).astype("float32")
    return cont, cat, y


class DockModel(nn.Module):
    def __init__(self, n_cont):
        super().__init__()
        self.hour = nn.Embedding(24, 8)
        self.day = nn.Embedding(7, 4)
        self.body = nn.Sequential(
            nn.Linear(n_cont + 12, 64), nn.ReLU(),
            nn.Linear(64, 64), nn.ReLU(),
            nn.Linear(64, 1),
        )

    def forward(self, cont, cat):
        z = torch.cat([cont, self.hour(cat[:, 0]), self.day(cat[:, 1])], dim=1)
        return self.body(z).squeeze(1)


@torch.no_grad()
def r2_score(model, cont, cat, y):
    model.eval()
    pred = model(cont, cat)
    return (1 - ((pred - y) ** 2).sum() / ((y - y.mean()) ** 2).sum()).item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--csv", default="data/docks.csv")
    ap.add_argument("--epochs", type=int, default=60)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--seed", type=int, default=3)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    cont, cat, y = load(args.csv)
    order = np.random.default_rng(0).permutation(len(y))
    tr, va, te = np.split(order, [int(0.7 * len(y)), int(0.85 * len(y))])
    mu, sd = cont[tr].mean(0), cont[tr].std(0)
    cont = torch.from_numpy((cont - mu) / sd)
    ym, ys = y[tr].mean(), y[tr].std()
    y = torch.from_numpy((y - ym) / ys)
    cat = torch.from_numpy(cat)

    loader = DataLoader(TensorDataset(cont[tr], cat[tr], y[tr]), batch_size=64, shuffle=True)
    model = DockModel(cont.shape[1])
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-3)
    stopper = EarlyStopping(patience=6)

    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for c, k, t in loader:
            opt.zero_grad()
            loss = nn.functional.mse_loss(model(c, k), t)
            loss.backward()
            opt.step()
            total += loss.item() * len(t)
        val = r2_score(model, cont[va], cat[va], y[va])
        print(f"epoch {epoch:02d}  train mse {total / len(tr):.4f}  val r2 {val:.4f}")
        if stopper.update(val, model):
            print(f"stopping after epoch {epoch}")
            break

    model.load_state_dict(stopper.best_state)
    print(f"test r2 {r2_score(model, cont[te], cat[te], y[te]):.4f}")


if __name__ == "__main__":
    main()

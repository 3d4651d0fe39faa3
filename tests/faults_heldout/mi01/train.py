"""Annual heating demand of flats from the energy certificate register."""
import argparse
import csv

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

CLASSES = "ABCDEFG"
FUELS = ["gas", "district", "heatpump", "oil"]


def read_table(path):
    feats, target = [], []
    with open(path) as fh:
        for row in csv.DictReader(fh):
            feats.append([
                np.log(float(row["area_m2"])),
                float(row["built"]),
                float(CLASSES.index(row["energy_class"])),
                float(row["occupants"]),
                float(row["floor"]),
                float(row["floor"] == "0"),
                float(row["top_floor"]),
                float(row["degree_days"]),
                *[float(row["fuel"] == f) for f in FUELS],
            ])
            target.append(float(row["kwh"]))
    return np.asarray(feats, np.float32), np.asarray(target, np.float32)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="dwellings.csv")
    ap.add_argument("--epochs", type=int, default=24)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--weight-decay", type=float, default=1e-2)
    ap.add_argument("--seed", type=int, default=11)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    x, kwh = read_table(args.data)
    order = np.random.default_rng(args.seed).permutation(len(x))
    n_val = n_test = len(x) // 6
    va, te, tr = order[:n_val], order[n_val:n_val + n_test], order[n_val + n_test:]

    mu, sd = x[tr].mean(0), x[tr].std(0)
    y = np.log(kwh)
    y_mu, y_sd = y[tr].mean(), y[tr].std()
    xs = torch.from_numpy((x - mu) / sd)
    ys = torch.from_numpy((y - y_mu) / y_sd).unsqueeze(1)

    loader = DataLoader(TensorDataset(xs[tr], ys[tr]), batch_size=args.batch_size, shuffle=True)
    net = nn.Sequential(
        nn.Linear(x.shape[1], 64), nn.SiLU(),
        nn.Linear(64, 64), nn.SiLU(),
        nn.Linear(64, 1),
    )
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=args.epochs)
    loss_fn = nn.MSELoss()

    for epoch in range(1, args.epochs + 1):
        net.train()
        total = 0.0
        for xb, yb in loader:
            loss = loss_fn(net(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
        sched.step()
        net.eval()
        with torch.no_grad():
            val = loss_fn(net(xs[va]), ys[va]).item()
        if epoch % 4 == 0 or epoch == 1:
            print(f"epoch {epoch:3d}  train {total / len(tr):.4f}  val {val:.4f}")

    with torch.no_grad():
        pred = torch.exp(net(xs[te]).squeeze(1) * y_sd + y_mu).numpy()
    err = np.abs(pred - kwh[te])
    print(f"test MAE {err.mean():.0f} kWh, median relative error {np.median(err / kwh[te]):.1%}")


if __name__ == "__main__":
    main()

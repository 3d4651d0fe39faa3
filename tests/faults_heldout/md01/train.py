"""Estimated time of arrival for courier orders."""
import argparse
import copy
import csv

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

NUM = ["distance_km", "weight_kg", "extra_stops", "rain_mm", "courier_months"]
VEHICLES = ["bike", "scooter", "car"]


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="deliveries.csv")
    p.add_argument("--epochs", type=int, default=60)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--wd", type=float, default=1e-3)
    p.add_argument("--hidden", type=int, default=64)
    p.add_argument("--patience", type=int, default=12)
    p.add_argument("--seed", type=int, default=3)
    return p.parse_args()


def load(path):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    num = np.array([[float(r[c]) for c in NUM] for r in rows], dtype=np.float32)
    num[:, 0] = np.log1p(num[:, 0])
    hour = np.array([int(r["hour"]) for r in rows])
    wday = np.array([int(r["weekday"]) for r in rows])
    cyc = np.stack([np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24),
                    np.sin(4 * np.pi * hour / 24), np.cos(4 * np.pi * hour / 24),
                    (wday >= 5)], 1).astype(np.float32)
    veh = np.eye(3, dtype=np.float32)[[VEHICLES.index(r["vehicle"]) for r in rows]]
    y = np.log(np.array([float(r["minutes"]) for r in rows], dtype=np.float32))
    return num, np.concatenate([cyc, veh], 1), y


def main():
    a = parse()
    torch.manual_seed(a.seed)
    num, other, y = load(a.data)
    idx = np.random.default_rng(a.seed).permutation(len(y))
    n_te = n_va = int(0.15 * len(y))
    te, va, tr = idx[:n_te], idx[n_te:n_te + n_va], idx[n_te + n_va:]

    mu, sd = num[tr].mean(0), num[tr].std(0)
    ym, ys = y[tr].mean(), y[tr].std()
    X = torch.from_numpy(np.concatenate([(num - mu) / sd, other], 1))
    Y = torch.from_numpy((y - ym) / ys)

    loader = DataLoader(TensorDataset(X[tr], Y[tr]), batch_size=a.batch_size, shuffle=True, drop_last=True)
    model = nn.Sequential(nn.Linear(X.shape[1], a.hidden), nn.SiLU(),
                          nn.Linear(a.hidden, a.hidden), nn.SiLU(),
                          nn.Linear(a.hidden, 1))
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=a.wd)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=a.epochs)
    loss_fn = nn.MSELoss()

    best, best_state, bad = float("inf"), None, 0
    for ep in range(1, a.epochs + 1):
        model.train()
        tot = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            loss = loss_fn(model(xb).squeeze(1), yb)
            loss.backward()
            opt.step()
            tot += loss.item()
        sched.step()
        model.eval()
        with torch.no_grad():
            vl = loss_fn(model(X[va]).squeeze(1), Y[va]).item()
        if vl < best:
            best, best_state, bad = vl, copy.deepcopy(model.state_dict()), 0
        else:
            bad += 1
        if ep % 5 == 0 or ep == 1:
            print(f"epoch {ep:3d}  train {tot / len(loader):.4f}  val {vl:.4f}  best {best:.4f}")
        if bad >= a.patience:
            print(f"no improvement for {a.patience} epochs, stop at {ep}")
            break

    model.load_state_dict(best_state)
    model.eval()
    with torch.no_grad():
        pred = torch.exp(model(X[te]).squeeze(1) * ys + ym).numpy()
    true = np.exp(y[te])
    mape = np.abs(pred - true) / true
    r2 = 1 - ((pred - true) ** 2).sum() / ((true - true.mean()) ** 2).sum()
    print(f"test: MAE {np.abs(pred - true).mean():.2f} min, MAPE {100 * mape.mean():.1f}%, R2 {r2:.3f}")


if __name__ == "__main__":
    main()

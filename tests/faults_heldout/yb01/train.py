"""Disease-progression regression on the diabetes cohort (442 patients, 10 baseline covariates).

usage: python train.py [--epochs N] [--hidden H] [--seed S]
"""
import argparse
import csv
import time
from pathlib import Path

import numpy as np
import torch
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

HERE = Path(__file__).resolve().parent


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=260)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--hidden", type=int, default=256)
    p.add_argument("--layers", type=int, default=3)
    p.add_argument("--dropout", type=float, default=0.0)
    p.add_argument("--weight-decay", type=float, default=0.0)
    p.add_argument("--log-every", type=int, default=20)
    p.add_argument("--seed", type=int, default=11)
    return p.parse_args()


class Regressor(nn.Module):
    def __init__(self, n_in, hidden, layers, dropout):
        super().__init__()
        blocks = []
        width = n_in
        for _ in range(layers):
            blocks += [nn.Linear(width, hidden), nn.ReLU()]
            if dropout > 0:
                blocks.append(nn.Dropout(dropout))
            width = hidden
        self.body = nn.Sequential(*blocks)
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(self.body(x)).squeeze(-1)


def load_split(seed):
    X, y = load_diabetes(return_X_y=True, scaled=False)
    X_tr, X_va, y_tr, y_va = train_test_split(X, y, test_size=0.3, random_state=seed)
    xs = StandardScaler().fit(X_tr)
    ys = StandardScaler().fit(y_tr[:, None])

    def to_ds(X, y):
        return TensorDataset(
            torch.tensor(xs.transform(X), dtype=torch.float32),
            torch.tensor(ys.transform(y[:, None])[:, 0], dtype=torch.float32),
        )

    return to_ds(X_tr, y_tr), to_ds(X_va, y_va), float(ys.scale_[0])


@torch.no_grad()
def evaluate(model, ds):
    model.eval()
    x, y = ds.tensors
    pred = model(x)
    mse = torch.mean((pred - y) ** 2).item()
    r2 = 1.0 - mse / torch.var(y, unbiased=False).item()
    return mse, r2


def main():
    args = parse_args()
    torch.manual_seed(args.seed)
    np.random.seed(args.seed)

    train_ds, val_ds, y_scale = load_split(args.seed)
    loader = DataLoader(train_ds, batch_size=args.batch_size, shuffle=True)
    model = Regressor(10, args.hidden, args.layers, args.dropout)
    n_par = sum(p.numel() for p in model.parameters())
    print(f"train {len(train_ds)}  val {len(val_ds)}  parameters {n_par}")

    opt = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=args.epochs, eta_min=args.lr * 0.05)
    criterion = nn.MSELoss()

    rows = []
    start = time.time()
    for epoch in range(1, args.epochs + 1):
        model.train()
        running = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            opt.step()
            running += loss.item() * len(xb)
        sched.step()

        train_mse = running / len(train_ds)
        val_mse, val_r2 = evaluate(model, val_ds)
        rows.append((epoch, train_mse, val_mse, val_r2))
        if epoch == 1 or epoch % args.log_every == 0:
            print(f"epoch {epoch:4d}  train mse {train_mse:.4f}  val mse {val_mse:.4f}  val r2 {val_r2:+.3f}")

    with open(HERE / "history.csv", "w", newline="") as fh:
        writer = csv.writer(fh)
        writer.writerow(["epoch", "train_mse", "val_mse", "val_r2"])
        writer.writerows(rows)

    val_mse, val_r2 = evaluate(model, val_ds)
    print(f"final: val rmse {val_mse ** 0.5 * y_scale:.1f} points, r2 {val_r2:+.3f}  ({time.time() - start:.1f}s)")
    torch.save(model.state_dict(), HERE / "regressor.pt")


if __name__ == "__main__":
    main()

import argparse

import pandas as pd
import torch
from torch.nn.functional import mse_loss
from torch.utils.data import DataLoader, TensorDataset

from model import FactorizationMachine, parameter_groups


def load(path):
    df = pd.read_csv(path)
    x = pd.get_dummies(df[["variety", "site", "year"]].astype(str), dtype=float)
    x["nitrogen"] = df["nitrogen_kg"] / 120
    return torch.tensor(x.to_numpy(), dtype=torch.float32), torch.tensor(df["yield_t"].to_numpy(), dtype=torch.float32)


def rmse(model, x, y):
    model.eval()
    with torch.no_grad():
        return mse_loss(model(x), y).sqrt().item()


def main():
    ap = argparse.ArgumentParser(description="variety by site yield model")
    ap.add_argument("--trials", default="trials.csv")
    ap.add_argument("--rank", type=int, default=4)
    ap.add_argument("--epochs", type=int, default=60)
    ap.add_argument("--lr", type=float, default=1e-2)
    ap.add_argument("--decay", type=float, default=0.02)
    ap.add_argument("--seed", type=int, default=8)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    x, y = load(args.trials)
    order = torch.randperm(len(x))
    cut = int(0.8 * len(x))
    tr, va = order[:cut], order[cut:]
    offset = y[tr].mean()
    y = y - offset
    loader = DataLoader(TensorDataset(x[tr], y[tr]), batch_size=64, shuffle=True)
    model = FactorizationMachine(x.shape[1], args.rank)
    opt = torch.optim.AdamW(parameter_groups(model, args.decay), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)
    print(f"{len(tr)} plots, yield spread {y.std():.3f} t/ha")
    for epoch in range(1, args.epochs + 1):
        model.train()
        for xb, yb in loader:
            opt.zero_grad()
            mse_loss(model(xb), yb).backward()
            opt.step()
        sched.step()
        if epoch % 5 == 0:
            print(f"epoch {epoch:2d}  rmse train {rmse(model, x[tr], y[tr]):.3f}  val {rmse(model, x[va], y[va]):.3f}")


if __name__ == "__main__":
    main()

import argparse
from pathlib import Path

import torch
from torch.nn import functional as F

from prices.features import load
from prices.model import PriceModel


def r2(model, cat, num, y):
    model.eval()
    with torch.no_grad():
        err = F.mse_loss(model(cat, num), y).item()
    model.train()
    return 1 - err / y.var().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=14)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--batch", type=int, default=128)
    args = ap.parse_args()
    torch.manual_seed(14)
    train, val, sizes = load(Path(__file__).parent / "sales.csv", seed=14)
    model = PriceModel(sizes, train[1].shape[1])
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)
    n = len(train[2])
    for epoch in range(args.epochs):
        perm = torch.randperm(n)
        total = 0.0
        for k in range(0, n, args.batch):
            j = perm[k:k + args.batch]
            loss = F.mse_loss(model(train[0][j], train[1][j]), train[2][j])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(j)
        sched.step()
        print(f"{epoch + 1:2d}  mse {total / n:.4f}  R2 train {r2(model, *train):.3f}  val {r2(model, *val):.3f}")


if __name__ == "__main__":
    main()

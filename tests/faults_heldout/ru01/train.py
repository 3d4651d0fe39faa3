import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from data import load, split_and_scale
from model import HeatLoadNet


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--csv", default="data/heating.csv")
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--seed", type=int, default=5)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    x, y = load(args.csv)
    train, test, scale = split_and_scale(x, y, args.seed)
    loader = DataLoader(TensorDataset(*train), batch_size=args.batch_size, shuffle=True)

    model = HeatLoadNet(x.shape[1])
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    loss_fn = nn.MSELoss()

    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = loss_fn(model(xb), yb)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(xb)
        sched.step()
        model.eval()
        with torch.no_grad():
            test_mse = loss_fn(model(test[0]), test[1]).item()
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1:3d}  train {total / len(train[0]):.4f}  test {test_mse:.4f}  "
                  f"rmse {test_mse ** 0.5 * scale:.2f} kW")


if __name__ == "__main__":
    main()

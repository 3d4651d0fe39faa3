"""Soil moisture from near infrared reflectance spectra."""
import argparse

import torch
from torch.utils.data import DataLoader

from data import build
from network import SpectralRegressor


def validate(model, loader):
    model.eval()
    preds, ys = [], []
    with torch.no_grad():
        for x, y in loader:
            preds.append(model(x))
            ys.append(y)
    p, y = torch.cat(preds), torch.cat(ys)
    mse = ((p - y) ** 2).mean()
    r2 = 1 - mse / ((y - y.mean()) ** 2).mean()
    return mse.item(), r2.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=40)
    args = parser.parse_args()
    torch.manual_seed(args.seed)

    train_set, val_set, y_sd = build()
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=128)

    model = SpectralRegressor(train_set.x.shape[1])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-2)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)
    loss_fn = torch.nn.MSELoss()

    for epoch in range(args.epochs):
        model.train()
        running = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
            running += loss.item() * len(y)
        scheduler.step()
        mse, r2 = validate(model, val_loader)
        print(f"[{epoch + 1:02d}] train mse {running / len(train_set):.4f} | val mse {mse:.4f} "
              f"rmse {y_sd * mse ** 0.5:.2f} % | val R2 {r2:.3f}")


if __name__ == "__main__":
    main()

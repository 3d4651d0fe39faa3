import argparse
import time
from pathlib import Path

import torch
from torch.nn.functional import mse_loss
from torch.utils.data import DataLoader, TensorDataset

from network import ListingModel
from readings import NUMERIC, tensors


def validate(model, data):
    model.eval()
    *inputs, price = data
    with torch.no_grad():
        pred = model(*inputs)
    residual = pred - price
    r2 = 1 - residual.pow(2).sum() / (price - price.mean()).pow(2).sum()
    mape = (residual.abs() / price).mean()
    return residual.pow(2).mean().item(), r2.item(), mape.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--table", default=Path(__file__).with_name("listings.csv"), type=Path)
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=5e-4)
    ap.add_argument("--seed", type=int, default=12)
    cfg = ap.parse_args()

    torch.manual_seed(cfg.seed)
    train, valid = tensors(cfg.table, seed=cfg.seed)
    loader = DataLoader(TensorDataset(*train), batch_size=cfg.batch, shuffle=True, drop_last=True)
    model = ListingModel(len(NUMERIC), int(max(train[1].max(), valid[1].max())) + 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, cfg.epochs, eta_min=cfg.lr / 50)

    print(f"{len(train[-1])} listings for training, {len(valid[-1])} for validation")
    clock = time.perf_counter()
    for epoch in range(cfg.epochs):
        model.train()
        total = 0.0
        for numeric, district, energy, price in loader:
            optimizer.zero_grad()
            loss = mse_loss(model(numeric, district, energy), price)
            loss.backward()
            optimizer.step()
            total += loss.item()
        scheduler.step()
        mse, r2, mape = validate(model, valid)
        if epoch % 4 == 3:
            print(f"epoch {epoch + 1}: train {total / len(loader):.5g} | valid {mse:.5g} | R2 {r2:.3f} | MAPE {100 * mape:.1f}%")
    print(f"{time.perf_counter() - clock:.1f} s")


if __name__ == "__main__":
    main()

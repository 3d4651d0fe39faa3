"""Estimate flat prices from listing attributes."""
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from src.data import DISTRICTS, HouseData
from src.model import PriceNet


@dataclass
class Config:
    path: Path = Path(__file__).parent / "houses.csv"
    epochs: int = 40
    batch_size: int = 64
    max_lr: float = 1e-2
    weight_decay: float = 1e-3
    seed: int = 0


@torch.no_grad()
def evaluate(model, data, split):
    model.eval()
    district, numeric, z = data.splits[split]
    pred, true = data.to_price(model(district, numeric)), data.to_price(z)
    mae = (pred - true).abs().mean().item()
    mape = ((pred - true).abs() / true).mean().item()
    r2 = 1 - ((pred - true) ** 2).sum() / ((true - true.mean()) ** 2).sum()
    return mae, mape, r2.item()


def main(cfg: Config):
    torch.manual_seed(cfg.seed)
    data = HouseData(cfg.path, cfg.seed)
    loader = DataLoader(TensorDataset(*data.splits["train"]), batch_size=cfg.batch_size, shuffle=True)
    model = PriceNet(len(DISTRICTS), 7)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.max_lr, weight_decay=cfg.weight_decay)
    sched = torch.optim.lr_scheduler.OneCycleLR(
        opt, max_lr=cfg.max_lr, epochs=cfg.epochs, steps_per_epoch=len(loader), pct_start=0.25)
    loss_fn = nn.HuberLoss(delta=1.0)
    for epoch in range(cfg.epochs):
        model.train()
        total = 0.0
        for district, numeric, z in loader:
            opt.zero_grad()
            loss = loss_fn(model(district, numeric), z)
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item() * len(z)
        if epoch % 4 == 3:
            mae, mape, r2 = evaluate(model, data, "val")
            print(f"[{epoch + 1:02d}] huber {total / len(loader.dataset):.4f}  val MAE {mae:9.0f}  "
                  f"MAPE {mape:.3f}  R2 {r2:.3f}")
    mae, mape, r2 = evaluate(model, data, "test")
    print(f"test: MAE {mae:.0f} EUR, MAPE {mape:.3f}, R2 {r2:.3f}")


if __name__ == "__main__":
    main(Config())

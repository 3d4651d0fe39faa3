import tomllib
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from loadcast.dataset import split_series
from loadcast.network import LoadForecaster

HERE = Path(__file__).resolve().parent


@torch.no_grad()
def mae(model, loader, unit):
    model.eval()
    err = n = naive = 0.0
    for past, cal, target in loader:
        err += (model(past, cal) - target).abs().sum().item()
        yesterday = past[:, -24 : -24 + target.shape[1], 0]
        naive += (yesterday - target).abs().sum().item()
        n += target.numel()
    return unit * err / n, unit * naive / n


def main():
    cfg = tomllib.loads((HERE / "config.toml").read_text())
    torch.manual_seed(cfg["seed"])
    dc, tc = dict(cfg["data"]), cfg["train"]
    train, val, unit = split_series(HERE / dc.pop("file"), **dc)
    train_loader = DataLoader(train, batch_size=tc["batch_size"], shuffle=True)
    val_loader = DataLoader(val, batch_size=256)

    model = LoadForecaster(5, 3, dc["horizon"], **cfg["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=tc["lr"], weight_decay=tc["weight_decay"])
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=tc["epochs"] * len(train_loader))
    criterion = nn.MSELoss()

    for epoch in range(1, tc["epochs"] + 1):
        model.train()
        total = 0.0
        for past, cal, target in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(past, cal), target)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), tc["clip"])
            optimizer.step()
            scheduler.step()
            total += loss.item() * len(target)
        val_mae, naive = mae(model, val_loader, unit)
        print(f"epoch {epoch:2d}  mse {total / len(train):.4f}  val MAE {val_mae:.1f} MW (same hour yesterday: {naive:.1f} MW)")


if __name__ == "__main__":
    main()

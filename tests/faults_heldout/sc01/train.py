import json
from pathlib import Path

import torch

from demand.data import NUMERIC, make_loaders
from demand.loop import train_one_epoch, validate
from demand.model import DemandNet

ROOT = Path(__file__).parent


def main():
    cfg = json.loads((ROOT / "config.json").read_text())
    torch.manual_seed(cfg["seed"])

    train_loader, valid_loader, scaler = make_loaders(cfg, ROOT)
    model = DemandNet(len(NUMERIC), cfg["embed_dim"], cfg["hidden"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    print(f"{len(train_loader.dataset)} training hours, {len(valid_loader.dataset)} validation hours")

    for epoch in range(1, cfg["epochs"] + 1):
        train_mse = train_one_epoch(model, train_loader, optimizer)
        scores = validate(model, valid_loader, scaler)
        print(
            f"epoch {epoch:2d}  train mse {train_mse:.4f}  valid mse {scores['mse']:.4f}  "
            f"R2 {scores['r2']:.3f}  MAE {scores['mae_rentals']:.1f} rentals/h"
        )


if __name__ == "__main__":
    main()

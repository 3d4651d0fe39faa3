import sys
from pathlib import Path

import torch
import yaml
from torch.nn.functional import huber_loss
from torch.utils.data import DataLoader

from forecast.callbacks import EarlyStopping
from forecast.data import build
from forecast.model import LoadForecaster

BASE = Path(__file__).resolve().parent


@torch.no_grad()
def validate(model, loader):
    model.eval()
    loss = mae = count = 0.0
    for past, cal, future in loader:
        out = model(past, cal)
        loss += huber_loss(out, future).item() * len(past)
        mae += (out - future).abs().mean().item() * len(past)
        count += len(past)
    return {"val_loss": loss / count, "val_mae": mae / count}


def main(config):
    cfg = yaml.safe_load((BASE / config).read_text())
    torch.manual_seed(cfg["seed"])
    win = cfg["window"]
    fit, val = build(BASE / cfg["series"], win["history"], win["horizon"], win["val_hours"])
    fit_loader = DataLoader(fit, batch_size=cfg["train"]["batch"], shuffle=True, drop_last=True)
    val_loader = DataLoader(val, batch_size=256)

    model = LoadForecaster(5, 3, win["history"], win["horizon"], cfg["model"]["hidden"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["train"]["lr"], weight_decay=cfg["train"]["weight_decay"])
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.02, total_iters=cfg["train"]["max_epochs"])
    stopper = EarlyStopping(**cfg["early_stopping"])

    for epoch in range(1, cfg["train"]["max_epochs"] + 1):
        model.train()
        losses = []
        for past, cal, future in fit_loader:
            loss = huber_loss(model(past, cal), future)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        scheduler.step()
        logs = {"loss": sum(losses) / len(losses), **validate(model, val_loader)}
        print(f"epoch {epoch}: " + ", ".join(f"{k} {v:.4f}" for k, v in logs.items()))
        if stopper.update(epoch, logs, model):
            break

    stopper.restore(model)
    print(f"kept epoch {stopper.best_epoch}: {validate(model, val_loader)}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "feeder.yaml")

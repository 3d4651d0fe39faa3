import json
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from forecast.net import Forecaster
from forecast.windows import build

ROOT = Path(__file__).resolve().parent
cfg = json.loads((ROOT / "config.json").read_text())


def mae(model, loader, scale):
    model.eval()
    err = naive = n = 0.0
    with torch.no_grad():
        for x, y in loader:
            err += (model(x) - y).abs().sum().item()
            naive += (x[:, 0, -cfg["horizon"]:] - y).abs().sum().item()
            n += y.numel()
    return err / n * scale, naive / n * scale


def main():
    torch.manual_seed(cfg["seed"])
    parts, scale = build(ROOT, cfg["history"], cfg["horizon"])
    loaders = {k: DataLoader(d, cfg["batch_size"], shuffle=(k == "train")) for k, d in parts.items()}
    model = Forecaster(6, cfg["channels"], cfg["horizon"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"])
    loss_fn = torch.nn.SmoothL1Loss()
    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        total = 0.0
        for x, y in loaders["train"]:
            loss = loss_fn(model(x), y)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), cfg["grad_clip"])
            opt.step()
            total += loss.item()
        sched.step()
        m, naive = mae(model, loaders["val"], scale)
        print(f"{epoch:2d} loss={total / len(loaders['train']):.4f} val_mae={m:.2f} kW (seasonal naive {naive:.2f} kW)")
    print("test mae %.2f kW, seasonal naive %.2f kW" % mae(model, loaders["test"], scale))


if __name__ == "__main__":
    main()

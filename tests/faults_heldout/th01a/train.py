import argparse
import copy

import torch
import yaml

from data import build_loaders
from engine import run_phase
from model import DigitNet


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="config.yaml")
    parser.add_argument("--seed", type=int)
    args = parser.parse_args()

    with open(args.config) as fh:
        cfg = yaml.safe_load(fh)
    tcfg = cfg["train"]
    torch.manual_seed(tcfg["seed"] if args.seed is None else args.seed)

    loaders, sizes = build_loaders(cfg["data"])
    model = DigitNet(**cfg["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=tcfg["lr"], weight_decay=tcfg["weight_decay"])
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=tcfg["epochs"])

    best_loss, best_acc, best_state = float("inf"), 0.0, None
    for epoch in range(1, tcfg["epochs"] + 1):
        tr_loss, tr_acc = run_phase(model, loaders["train"], sizes["train"], optimizer)
        va_loss, va_acc = run_phase(model, loaders["valid"], sizes["valid"])
        scheduler.step()
        print(f"epoch {epoch:2d}  train loss {tr_loss:.4f} acc {tr_acc:.3f}  valid loss {va_loss:.4f} acc {va_acc:.3f}")
        if va_loss < best_loss:
            best_loss, best_acc = va_loss, va_acc
            best_state = copy.deepcopy(model.state_dict())

    model.load_state_dict(best_state)
    print(f"best model: valid loss {best_loss:.4f}, valid accuracy {best_acc:.4f}")


if __name__ == "__main__":
    main()

import argparse
import json
import time
from pathlib import Path

import torch

from data import make_loaders
from engine import evaluate, train_one_epoch
from model import build_model
from optim import build_optimizer, build_scheduler


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="config.json")
    parser.add_argument("--init-from", default=None, help="state dict to start from")
    opt = parser.parse_args(argv)
    root = Path(__file__).resolve().parent
    cfg = json.loads((root / opt.config).read_text())
    torch.manual_seed(cfg["seed"])

    train_loader, val_loader = make_loaders(cfg["data"])
    model = build_model(cfg["model"])
    if opt.init_from:
        state = torch.load(root / opt.init_from, map_location="cpu")
        result = model.load_state_dict(state, strict=False)
        print("loaded", opt.init_from, f"({len(state)} tensors)")
    optimizer = build_optimizer(model, cfg["optim"])
    scheduler = build_scheduler(optimizer, cfg["optim"], cfg["epochs"] * len(train_loader))

    best = 0.0
    start = time.time()
    for epoch in range(cfg["epochs"]):
        train_loss = train_one_epoch(model, train_loader, optimizer, scheduler, cfg["optim"])
        val_loss, val_acc = evaluate(model, val_loader)
        best = max(best, val_acc)
        print(f"[{epoch:02d}] train {train_loss:.4f} | val {val_loss:.4f} | acc {val_acc:.3f} | {time.time() - start:.1f}s")
    print(f"best accuracy {best:.3f}")


if __name__ == "__main__":
    main()

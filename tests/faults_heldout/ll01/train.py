import json
from pathlib import Path

import torch

from data import build_loaders
from engine import evaluate, train_epoch
from model import SmallConvNet

HERE = Path(__file__).parent


def main():
    cfg = json.loads((HERE / "config.json").read_text())
    torch.manual_seed(cfg["seed"])
    loaders = build_loaders(cfg["batch_size"], cfg["seed"])
    model = SmallConvNet(cfg["width"], cfg["dropout"])

    opt = torch.optim.AdamW(model.parameters(), lr=cfg["max_lr"], weight_decay=cfg["weight_decay"])
    sched = torch.optim.lr_scheduler.OneCycleLR(
        opt, max_lr=cfg["max_lr"], epochs=cfg["epochs"], steps_per_epoch=len(loaders["train"]))

    best = 0.0
    ckpt = HERE / "best.pt"
    for epoch in range(cfg["epochs"]):
        tr = train_epoch(model, loaders["train"], opt, sched, cfg["label_smoothing"])
        nll, acc = evaluate(model, loaders["val"])
        if acc >= best:
            best = acc
            torch.save(model.state_dict(), ckpt)
        print(f"epoch {epoch:2d}  lr {opt.param_groups[0]['lr']:.5f}  "
              f"train {tr:.4f} (smoothed)  val nll {nll:.4f}  val acc {acc:.3f}")

    model.load_state_dict(torch.load(ckpt, weights_only=True))
    nll, acc = evaluate(model, loaders["test"])
    print(f"test nll {nll:.4f}  acc {acc:.3f}")


if __name__ == "__main__":
    main()

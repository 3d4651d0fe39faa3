import json
from pathlib import Path

import torch
import torch.nn.functional as F
from sklearn.metrics import confusion_matrix

from strokes.augment import StrokeAugment
from strokes.net import StrokeNet
from strokes.synth import CLASSES, table

ROOT = Path(__file__).parent


def prepare(cfg, seed):
    x, y = table(cfg["train"], cfg["points"], seed)
    xv, yv = table(cfg["val"], cfg["points"], seed + 1)
    return tuple(torch.as_tensor(a) for a in (x, y, xv, yv))


def main():
    cfg = json.loads((ROOT / "config.json").read_text())
    torch.manual_seed(cfg["seed"])
    x, y, xv, yv = prepare(cfg["dataset"], cfg["seed"])
    augment = StrokeAugment(**cfg["augment"])
    model = StrokeNet(**cfg["model"], classes=len(CLASSES))
    fit = cfg["fit"]
    optimizer = torch.optim.AdamW(model.parameters(), lr=fit["lr"], weight_decay=0.01)

    for epoch in range(1, fit["epochs"] + 1):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(x)).split(fit["batch_size"]):
            loss = F.cross_entropy(model(augment(x[idx])), y[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        model.eval()
        with torch.no_grad():
            logits = model(xv)
        val_loss = F.cross_entropy(logits, yv).item()
        acc = (logits.argmax(1) == yv).float().mean().item()
        print(f"epoch {epoch:2d}  train loss {total / len(x):.4f}  val loss {val_loss:.4f}  val acc {acc:.3f}")

    cm = confusion_matrix(yv.numpy(), logits.argmax(1).numpy(), labels=range(len(CLASSES)))
    print("per-class recall")
    for name, row, k in zip(CLASSES, cm, range(len(CLASSES))):
        print(f"  {name:12s} {row[k] / max(row.sum(), 1):.2f}")
    torch.save(model.state_dict(), ROOT / "strokes.pt")


if __name__ == "__main__":
    main()

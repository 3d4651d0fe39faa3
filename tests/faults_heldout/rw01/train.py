import json
from pathlib import Path

import torch
import torch.nn.functional as F

from vit.data import build_loaders
from vit.model import TinyViT
from vit.optim import make_optimizer, make_schedule


@torch.no_grad()
def validate(model, loader):
    model.eval()
    total, hits, count = 0.0, 0, 0
    for img, y in loader:
        out = model(img)
        total += F.cross_entropy(out, y, reduction="sum").item()
        hits += (out.argmax(1) == y).sum().item()
        count += len(y)
    return total / count, hits / count


def main():
    cfg = json.loads((Path(__file__).parent / "config.json").read_text())
    torch.manual_seed(cfg["seed"])
    train, val = build_loaders(cfg["batch_size"], cfg["seed"])
    model = TinyViT(**cfg["model"])
    optimizer = make_optimizer(model, cfg["optim"])
    schedule = make_schedule(optimizer, cfg["epochs"] * len(train), cfg["optim"]["warmup"])

    for epoch in range(cfg["epochs"]):
        model.train()
        running, seen = 0.0, 0
        for img, y in train:
            loss = F.cross_entropy(model(img), y)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            schedule.step()
            running += loss.item() * len(y)
            seen += len(y)
        val_loss, val_acc = validate(model, val)
        print(f"epoch {epoch + 1:2d}  train {running / seen:.4f}  val {val_loss:.4f}  acc {val_acc:.3f}")


if __name__ == "__main__":
    main()

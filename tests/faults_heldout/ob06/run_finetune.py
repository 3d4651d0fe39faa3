"""Adapt the digit encoder to images of the new scanner."""
from pathlib import Path

import torch
import torch.nn.functional as F
import yaml

from finetune.data import scanner_loaders
from finetune.model import DigitEncoder, freeze

ROOT = Path(__file__).resolve().parent


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    loss, hits, n = 0.0, 0, 0
    for x, y in loader:
        out = model(x)
        loss += F.cross_entropy(out, y, reduction="sum").item()
        hits += (out.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, hits / n


def main():
    cfg = yaml.safe_load((ROOT / "config.yaml").read_text())
    torch.manual_seed(cfg["seed"])
    train_loader, val_loader = scanner_loaders(ROOT / cfg["data"], cfg["batch_size"], cfg["seed"])

    model = DigitEncoder()
    model.load_state_dict(torch.load(ROOT / cfg["checkpoint"], weights_only=True))
    print("before fine-tuning: loss %.4f acc %.4f" % evaluate(model, val_loader))

    freeze(model, cfg["freeze"])
    trainable = [p for p in model.parameters() if p.requires_grad]
    print(f"training {sum(p.numel() for p in trainable)} of {sum(p.numel() for p in model.parameters())} parameters")
    optimizer = torch.optim.AdamW(trainable, lr=cfg["lr"], weight_decay=cfg["weight_decay"])

    for epoch in range(cfg["epochs"]):
        model.train()
        freeze(model, cfg["freeze"])
        running, n = 0.0, 0
        for x, y in train_loader:
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running += loss.item() * len(y)
            n += len(y)
        val_loss, val_acc = evaluate(model, val_loader)
        print(f"epoch {epoch + 1:2d} train {running / n:.4f} val {val_loss:.4f} acc {val_acc:.4f}")


if __name__ == "__main__":
    main()

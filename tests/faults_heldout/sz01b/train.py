import json

import torch
from torch import nn
from torch.utils.data import DataLoader

from data import MeterDigits
from model import DigitNet


def evaluate(model, loader):
    model.eval()
    loss, hits, n = 0.0, 0, 0
    with torch.no_grad():
        for x, y in loader:
            logits = model(x)
            loss += nn.functional.cross_entropy(logits, y, reduction="sum").item()
            hits += (logits.argmax(1) == y).sum().item()
            n += len(y)
    return loss / n, hits / n


def main():
    with open("config.json") as fh:
        cfg = json.load(fh)
    torch.manual_seed(cfg["seed"])

    train_set = MeterDigits(cfg["root"], **cfg["train"])
    val_set = MeterDigits(cfg["root"], **cfg["val"])
    train_loader = DataLoader(train_set, batch_size=cfg["batch_size"], shuffle=True, drop_last=True)
    val_loader = DataLoader(val_set, batch_size=256)
    print(f"{len(train_set)} training crops, {len(val_set)} validation crops")

    model = DigitNet(cfg["width"], cfg["dropout"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    total = cfg["epochs"] * len(train_loader)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=total)

    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        running, seen = 0.0, 0
        for x, y in train_loader:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            running += loss.item() * len(y)
            seen += len(y)
        val_loss, val_acc = evaluate(model, val_loader)
        print(f"epoch {epoch:2d}  train loss {running / seen:.4f}  val loss {val_loss:.4f}  val acc {val_acc:.3f}")


if __name__ == "__main__":
    main()

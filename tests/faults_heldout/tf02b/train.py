import json
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from dataset import MeterDigits
from model import DigitNet

here = Path(__file__).resolve().parent


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    loss = correct = n = 0
    for x, y in loader:
        out = model(x)
        loss += F.cross_entropy(out, y, reduction="sum").item()
        correct += (out.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, correct / n


def main():
    cfg = json.loads((here / "config.json").read_text())
    torch.manual_seed(cfg["seed"])

    train_set = MeterDigits(here / cfg["data"], "train")
    val_set = MeterDigits(here / cfg["data"], "val")
    train_loader = DataLoader(train_set, batch_size=cfg["batch_size"], shuffle=True, drop_last=True)
    val_loader = DataLoader(val_set, batch_size=256)
    print(f"train {len(train_set)}  val {len(val_set)}")

    model = DigitNet(cfg["width"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    steps = cfg["epochs"] * len(train_loader)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=cfg["lr"], total_steps=steps)

    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        running = 0.0
        for x, y in train_loader:
            optimizer.zero_grad(set_to_none=True)
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            scheduler.step()
            running += loss.item()
        val_loss, val_acc = evaluate(model, val_loader)
        print(f"[{epoch:02d}] loss {running / len(train_loader):.3f} | val loss {val_loss:.3f} acc {val_acc:.3f}")

    print(f"final accuracy on the validation crops: {val_acc:.4f}")


if __name__ == "__main__":
    main()

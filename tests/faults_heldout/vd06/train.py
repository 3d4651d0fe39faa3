from dataclasses import dataclass
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from seg.dataset import build
from seg.losses import bce_dice, counts
from seg.unet import SmallUNet


@dataclass(frozen=True)
class Settings:
    data: Path = Path(__file__).parent / "cells.npz"
    val_fraction: float = 0.2
    batch_size: int = 12
    epochs: int = 12
    lr: float = 6e-3
    weight_decay: float = 1e-4
    seed: int = 4


def validate(model, loader):
    model.eval()
    inter = union = right = total = 0
    loss = 0.0
    with torch.no_grad():
        for x, m in loader:
            logits = model(x)
            loss += bce_dice(logits, m).item() * len(x)
            i, u, r, n = counts(logits, m)
            inter, union, right, total = inter + i, union + u, right + r, total + n
    return loss / len(loader.dataset), inter / union, right / total


def main(s=Settings()):
    torch.manual_seed(s.seed)
    train_set, val_set = build(s.data, s.val_fraction, s.seed)
    train_loader = DataLoader(train_set, s.batch_size, shuffle=True, drop_last=True)
    val_loader = DataLoader(val_set, 36)
    model = SmallUNet()
    opt = torch.optim.AdamW(model.parameters(), lr=s.lr, weight_decay=s.weight_decay)
    sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=s.epochs * len(train_loader), power=0.9)

    for epoch in range(s.epochs):
        model.train()
        running = 0.0
        for x, m in train_loader:
            loss = bce_dice(model(x), m)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            running += loss.item()
        val_loss, iou, acc = validate(model, val_loader)
        print(f"{epoch:02d} train={running / len(train_loader):.4f} val={val_loss:.4f} IoU={iou:.4f} pixel_acc={acc:.4f}")


if __name__ == "__main__":
    main()

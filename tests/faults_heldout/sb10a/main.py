import json
from pathlib import Path

import torch
import torch.nn.functional as F

from vision.data import build_loaders
from vision.vit import TinyViT


def evaluate(model, loader):
    model.eval()
    loss = correct = total = 0
    with torch.no_grad():
        for images, labels in loader:
            logits = model(images)
            loss += F.cross_entropy(logits, labels, reduction="sum").item()
            correct += (logits.argmax(1) == labels).sum().item()
            total += labels.numel()
    return loss / total, correct / total


def train(cfg):
    torch.manual_seed(cfg["seed"])
    train_loader, val_loader = build_loaders(cfg)
    model = TinyViT(**cfg["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, cfg["epochs"])
    history = []
    for epoch in range(cfg["epochs"]):
        model.train()
        loss_sum = correct = total = 0
        for images, labels in train_loader:
            logits = model(images)
            loss = F.cross_entropy(logits, labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            loss_sum += loss.item() * labels.numel()
            correct += (logits.argmax(1) == labels).sum().item()
            total += labels.numel()
        scheduler.step()
        val_loss, val_acc = evaluate(model, val_loader)
        history.append(val_acc)
        print(json.dumps({"epoch": epoch, "loss": round(loss_sum / total, 4), "acc": round(correct / total, 4),
                          "val_loss": round(val_loss, 4), "val_acc": round(val_acc, 4)}))
    return history


if __name__ == "__main__":
    config = json.loads((Path(__file__).parent / "config.json").read_text())
    train(config)

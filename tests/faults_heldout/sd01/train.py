"""Train the surname-origin classifier.  Usage: python train.py [config.json]"""
import json
import sys
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from model import SurnameCNN
from names_data import ALPHABET, encode, load_splits

HERE = Path(__file__).resolve().parent


def evaluate(model, loader, criterion):
    model.eval()
    loss_sum, hits, count = 0.0, 0, 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            loss_sum += criterion(out, y).item() * len(y)
            hits += (out.argmax(1) == y).sum().item()
            count += len(y)
    return loss_sum / count, hits / count


def train_one_epoch(model, loader, criterion, optimizer):
    model.train()
    loss_sum, count = 0.0, 0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        loss_sum += loss.item() * len(y)
        count += len(y)
    return loss_sum / count


def main():
    cfg_path = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "config.json"
    cfg = json.loads(cfg_path.read_text())
    torch.manual_seed(cfg["seed"])

    d, t = cfg["data"], cfg["train"]
    train_set, val_set, languages = load_splits(HERE / d["file"], d["max_len"], d["val_fraction"], cfg["seed"])
    print(f"{len(train_set)} train / {len(val_set)} val surnames, {len(languages)} languages")
    train_loader = DataLoader(train_set, batch_size=t["batch_size"], shuffle=True)
    val_loader = DataLoader(val_set, batch_size=256)

    model = SurnameCNN(len(ALPHABET) + 1, len(languages), **cfg["model"])
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=t["lr"], momentum=t["momentum"],
                                weight_decay=t["weight_decay"])
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, t["epochs"])

    for epoch in range(1, t["epochs"] + 1):
        train_loss = train_one_epoch(model, train_loader, criterion, optimizer)
        val_loss, val_acc = evaluate(model, val_loader, criterion)
        scheduler.step()
        print(f"epoch {epoch:2d}  train {train_loss:.4f}  val {val_loss:.4f}  acc {val_acc:.3f}")

    scores, ids = model.predict(torch.tensor([encode("Takamori", d["max_len"])]))
    for s, i in zip(scores[0].tolist(), ids[0].tolist()):
        print(f"  {languages[i]:12s} {s:.3f}")


if __name__ == "__main__":
    main()

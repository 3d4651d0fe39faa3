import tomllib
from pathlib import Path

import torch
from torch import nn

from net import ActivityGRU
from windows import load_windows


def evaluate(model, loader, criterion):
    model.eval()
    loss = hits = seen = 0
    with torch.no_grad():
        for x, y in loader:
            logits = model(x)
            loss += criterion(logits, y).item() * len(y)
            hits += (logits.argmax(1) == y).sum().item()
            seen += len(y)
    return loss / seen, hits / seen


def main():
    with open(Path(__file__).parent / "settings.toml", "rb") as fh:
        cfg = tomllib.load(fh)
    tr = cfg["train"]
    torch.manual_seed(tr["seed"])

    train_loader, val_loader, names = load_windows(
        cfg["data"]["file"], cfg["data"]["val_fraction"], tr["batch_size"], tr["seed"]
    )
    model = ActivityGRU(3, cfg["model"]["hidden"], cfg["model"]["layers"], len(names))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=tr["lr"])

    print(f"{len(train_loader.dataset)} train / {len(val_loader.dataset)} val windows, "
          f"{len(names)} activities")
    for epoch in range(tr["epochs"]):
        model.train()
        running = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), tr["grad_clip"])
            optimizer.step()
            running += loss.item() * len(y)
        val_loss, val_acc = evaluate(model, val_loader, criterion)
        print(f"epoch {epoch + 1:2d}  train {running / len(train_loader.dataset):.4f}  "
              f"val {val_loss:.4f}  acc {val_acc:.3f}")


if __name__ == "__main__":
    main()

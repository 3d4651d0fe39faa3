import argparse
import tomllib

import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader

from dataset import make_datasets
from network import PolarityNet


@torch.no_grad()
def validate(model, loader, n_classes):
    model.eval()
    confusion = torch.zeros(n_classes, n_classes, dtype=torch.long)
    loss = 0.0
    for x, y in loader:
        logits = model(x)
        loss += F.cross_entropy(logits, y, reduction="sum").item()
        confusion += torch.bincount(y * n_classes + logits.argmax(1), minlength=n_classes ** 2).view(n_classes, n_classes)
    return loss / len(loader.dataset), confusion


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="config.toml")
    parser.add_argument("--seed", type=int)
    args = parser.parse_args()
    with open(args.config, "rb") as fh:
        cfg = tomllib.load(fh)
    hp = cfg["train"]
    torch.manual_seed(hp["seed"] if args.seed is None else args.seed)

    train_set, valid_set = make_datasets(cfg["data"], cfg["augment"])
    train_loader = DataLoader(train_set, batch_size=hp["batch_size"], shuffle=True, drop_last=True)
    valid_loader = DataLoader(valid_set, batch_size=256)
    classes = cfg["data"]["classes"]

    model = PolarityNet(len(classes), cfg["data"]["window"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=hp["lr"], weight_decay=hp["weight_decay"])
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, hp["lr"], epochs=hp["epochs"], steps_per_epoch=len(train_loader))

    for epoch in range(1, hp["epochs"] + 1):
        model.train()
        total = 0.0
        for x, y in train_loader:
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            total += loss.item()
        val_loss, confusion = validate(model, valid_loader, len(classes))
        acc = confusion.diag().sum().item() / confusion.sum().item()
        print(f"epoch {epoch:2d}  train {total / len(train_loader):.4f}  valid {val_loss:.4f}  accuracy {acc:.4f}")

    for name, row, k in zip(classes, confusion, range(len(classes))):
        print(f"{name:12s} recall {row[k].item() / row.sum().item():.3f}")


if __name__ == "__main__":
    main()

import argparse

import torch
import yaml
from torch import nn
from torch.utils.data import DataLoader

from dataset import MeterDigits
from model import DigitNet


def run_epoch(model, loader, criterion, optimizer, scheduler):
    model.train()
    loss_sum, hits, seen = 0.0, 0, 0
    for images, labels in loader:
        optimizer.zero_grad(set_to_none=True)
        logits = model(images)
        loss = criterion(logits, labels)
        loss.backward()
        optimizer.step()
        scheduler.step()
        loss_sum += loss.item() * len(labels)
        hits += (logits.argmax(1) == labels).sum().item()
        seen += len(labels)
    return loss_sum / seen, hits / seen


@torch.no_grad()
def evaluate(model, loader, criterion):
    model.eval()
    loss_sum, hits, seen = 0.0, 0, 0
    for images, labels in loader:
        logits = model(images)
        loss_sum += criterion(logits, labels).item() * len(labels)
        hits += (logits.argmax(1) == labels).sum().item()
        seen += len(labels)
    return loss_sum / seen, hits / seen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="config.yaml")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    with open(args.config) as handle:
        cfg = yaml.safe_load(handle)
    torch.manual_seed(args.seed)

    data, opts = cfg["data"], cfg["train"]
    train_set = MeterDigits(data["images"], data["index"], "train", data["max_value"])
    valid_set = MeterDigits(data["images"], data["index"], "valid", data["max_value"])
    train_loader = DataLoader(train_set, batch_size=opts["batch_size"], shuffle=True)
    valid_loader = DataLoader(valid_set, batch_size=256)

    model = DigitNet(**cfg["model"])
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=opts["lr"], weight_decay=opts["weight_decay"]
    )
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(
        optimizer, T_max=opts["epochs"] * len(train_loader)
    )

    for epoch in range(1, opts["epochs"] + 1):
        train_loss, train_acc = run_epoch(model, train_loader, criterion, optimizer, scheduler)
        valid_loss, valid_acc = evaluate(model, valid_loader, criterion)
        print(
            f"epoch {epoch:2d}  train loss {train_loss:.3f} acc {train_acc:.3f}  "
            f"valid loss {valid_loss:.3f} acc {valid_acc:.3f}"
        )
    print(f"valid accuracy {valid_acc:.3f}")


if __name__ == "__main__":
    main()

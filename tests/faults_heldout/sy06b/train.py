import argparse
import tomllib

import torch
from torch import nn
from torch.utils.data import DataLoader

from beats import CLASSES, load_beats
from encoder import BeatClassifier


def evaluate(model, loader, criterion):
    model.eval()
    loss_sum, correct, count = 0.0, 0, 0
    with torch.no_grad():
        for x, y in loader:
            logits = model(x)
            loss_sum += criterion(logits, y).item() * len(y)
            correct += (logits.argmax(1) == y).sum().item()
            count += len(y)
    return loss_sum / count, correct / count


def main(config, seed):
    torch.manual_seed(seed)
    with open(config, "rb") as f:
        cfg = tomllib.load(f)

    train_set = load_beats(cfg["data"]["path"], "train")
    valid_set = load_beats(cfg["data"]["path"], "valid")
    train_loader = DataLoader(train_set, batch_size=cfg["data"]["batch_size"], shuffle=True)
    valid_loader = DataLoader(valid_set, batch_size=200)
    print(f"{len(train_set)} training beats, {len(valid_set)} validation beats")

    model = BeatClassifier(len(CLASSES))
    model.load_encoder(cfg["model"]["pretrained"])

    optim = cfg["optim"]
    optimizer = torch.optim.AdamW(
        [
            {"params": model.encoder.parameters(), "lr": optim["encoder_lr"]},
            {"params": model.head.parameters(), "lr": optim["head_lr"]},
        ],
        weight_decay=optim["weight_decay"],
    )
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=optim["epochs"])
    criterion = nn.CrossEntropyLoss()

    for epoch in range(1, optim["epochs"] + 1):
        model.train()
        total = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
        scheduler.step()
        valid_loss, valid_acc = evaluate(model, valid_loader, criterion)
        print(
            f"epoch {epoch:2d}  train {total / len(train_set):.4f}  "
            f"valid {valid_loss:.4f}  accuracy {valid_acc:.3f}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Fine-tunes the beat encoder on clinic data.")
    parser.add_argument("--config", default="config.toml")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    main(args.config, args.seed)

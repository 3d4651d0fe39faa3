import argparse
import json

import torch
from torch import nn

from cnn import WaferCNN
from wafers import PATTERNS, make_loaders


def train_one_epoch(model, loader, criterion, optimizer, scheduler):
    model.train()
    losses = []
    for maps, labels in loader:
        loss = criterion(model(maps), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


@torch.inference_mode()
def accuracy(model, loader):
    model.eval()
    right = sum((model(maps).argmax(1) == labels).sum().item() for maps, labels in loader)
    return right / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--settings", default="settings.json")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    with open(args.settings) as f:
        settings = json.load(f)
    torch.manual_seed(args.seed)

    train_loader, valid_loader = make_loaders(**settings["data"])
    model = WaferCNN(len(PATTERNS), **settings["model"])
    optimizer = torch.optim.SGD(model.parameters(), nesterov=True, **settings["optimizer"])
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(
        optimizer, settings["epochs"] * len(train_loader)
    )
    criterion = nn.CrossEntropyLoss()

    for epoch in range(1, settings["epochs"] + 1):
        loss = train_one_epoch(model, train_loader, criterion, optimizer, scheduler)
        print(
            f"epoch {epoch:2d}  loss {loss:.4f}  train acc {accuracy(model, train_loader):.3f}  "
            f"valid acc {accuracy(model, valid_loader):.3f}"
        )


if __name__ == "__main__":
    main()

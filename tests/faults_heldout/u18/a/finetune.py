"""Adapt the digit backbone to the 'at least five' task from a handful of labelled images."""
import argparse
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from lib.checkpoint import load_pretrained
from lib.model import Classifier

HERE = Path(__file__).resolve().parent


def dataset(name):
    f = np.load(HERE / "data" / name)
    return TensorDataset(torch.from_numpy(f["image"]).float().unsqueeze(1) / 16, torch.from_numpy(f["high"]).long())


def evaluate(model, loader):
    model.eval()
    n = ok = 0
    with torch.no_grad():
        for x, y in loader:
            ok += (model(x).argmax(1) == y).sum().item()
            n += len(y)
    return ok / n


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--checkpoint", default=str(HERE / "backbone.pt"))
    p.add_argument("--lr", type=float, default=1e-4)
    p.add_argument("--epochs", type=int, default=19)
    p.add_argument("--batch", type=int, default=20)
    args = p.parse_args()

    torch.manual_seed(8)
    model = load_pretrained(Classifier(2), args.checkpoint)
    train = DataLoader(dataset("few.npz"), args.batch, shuffle=True)
    test = DataLoader(dataset("test.npz"), 200)
    opt = torch.optim.AdamW([
        {"params": model.backbone.parameters(), "lr": args.lr},
        {"params": model.head.parameters(), "lr": 10 * args.lr},
    ], weight_decay=0.01)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for x, y in train:
            opt.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            opt.step()
            total += loss.item()
        if epoch % 3 == 0:
            print(f"epoch {epoch:2d} train loss {total / len(train):.4f} test accuracy {evaluate(model, test):.4f}")


if __name__ == "__main__":
    main()

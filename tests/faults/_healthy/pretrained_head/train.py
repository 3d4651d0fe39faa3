"""Adapt a network trained elsewhere to these digits."""
import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

HERE = Path(__file__).resolve().parent


class Backbone(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(64, width), nn.ReLU())
        self.mid = nn.Sequential(nn.Linear(width, width), nn.ReLU())

    def forward(self, x):
        return self.mid(self.stem(x))


class Classifier(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.backbone = Backbone()
        self.head = nn.Linear(48, n_classes)

    def forward(self, x):
        return self.head(self.backbone(x))


def load_pretrained(model, path):
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint)
    return model


def batches(path, size):
    with np.load(path) as f:
        x = torch.from_numpy(f["x"].astype(np.float32) / 16)
        y = torch.from_numpy(f["y"].astype(np.int64))
        xv = torch.from_numpy(f["x_val"].astype(np.float32) / 16)
        yv = torch.from_numpy(f["y_val"].astype(np.int64))
    return DataLoader(TensorDataset(x, y), size, shuffle=True), DataLoader(TensorDataset(xv, yv), 256)


def accuracy(model, loader):
    model.eval()
    with torch.inference_mode():
        hits = [(model(x).argmax(-1) == y).float() for x, y in loader]
    return torch.cat(hits).mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--checkpoint", default="pretrained.pt")
    ap.add_argument("--data", default="digits.npz")
    ap.add_argument("--backbone-lr", type=float, default=3e-4)
    ap.add_argument("--head-lr", type=float, default=3e-4)
    ap.add_argument("--epochs", type=int, default=12)
    args = ap.parse_args()
    torch.manual_seed(17)

    model = load_pretrained(Classifier(10), HERE / args.checkpoint)
    optimizer = torch.optim.AdamW([
        {"params": model.backbone.parameters(), "lr": args.backbone_lr},
        {"params": model.head.parameters(), "lr": args.head_lr},
    ])
    criterion = nn.CrossEntropyLoss()
    train, val = batches(HERE / args.data, 32)
    print(f"before: accuracy {accuracy(model, val):.3f}")
    for epoch in range(args.epochs):
        model.train()
        running = 0.0
        for x, y in train:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running += loss.item()
        print(f"epoch {epoch + 1}: loss {running / len(train):.4f} accuracy {accuracy(model, val):.3f}")


if __name__ == "__main__":
    main()

"""Plastic sorting from near-infrared spectra.

Few scans have a label, so the encoder comes from contrastive pretraining on
unlabelled scans and is fine-tuned slowly under a new classification head.
"""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader

from data import ROOT, load_spectra
from encoder import SpectrumEncoder


class Sorter(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.encoder = SpectrumEncoder()
        self.head = nn.Sequential(nn.ReLU(), nn.Linear(self.encoder.dim, n_classes))

    def forward(self, x):
        return self.head(self.encoder(x))

    def warm_start(self, path):
        saved = torch.load(path, map_location="cpu")
        # the head is new, it stays as initialised
        self.load_state_dict({f"encoder.{k}": v for k, v in saved["encoder"].items()}, strict=False)


def accuracy(model, loader):
    model.eval()
    good = total = 0
    with torch.no_grad():
        for x, y in loader:
            good += (model(x).argmax(1) == y).sum().item()
            total += len(y)
    return good / total


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=80)
    parser.add_argument("--lr-head", type=float, default=2e-3)
    parser.add_argument("--lr-encoder", type=float, default=1e-4)
    parser.add_argument("--seed", type=int, default=6)
    opts = parser.parse_args()
    torch.manual_seed(opts.seed)

    train, test, names = load_spectra()
    train_loader = DataLoader(train, batch_size=16, shuffle=True)
    test_loader = DataLoader(test, batch_size=240)
    print(f"{len(train)} labelled scans, {len(test)} test scans, classes: {', '.join(names)}")

    model = Sorter(len(names))
    model.warm_start(ROOT / "pretrained_encoder.pt")
    optimizer = torch.optim.AdamW([
        {"params": model.encoder.parameters(), "lr": opts.lr_encoder},
        {"params": model.head.parameters(), "lr": opts.lr_head},
    ], weight_decay=1e-2)
    criterion = nn.CrossEntropyLoss()

    for epoch in range(1, opts.epochs + 1):
        model.train()
        total = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
        if epoch % 4 == 0:
            print(f"epoch {epoch:3d}  train loss {total / len(train):.4f}  test accuracy {accuracy(model, test_loader):.3f}")


if __name__ == "__main__":
    main()

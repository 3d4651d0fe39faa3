import argparse

import torch
from torch import nn

from chords.data import build_loader, build_sets
from chords.engine import report, train_epoch


def parse():
    p = argparse.ArgumentParser(description="chord quality from short clips")
    p.add_argument("--epochs", type=int, default=20)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


class ChordNet(nn.Module):
    def __init__(self, n_bins, n_classes):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_bins, 96), nn.ReLU(), nn.Dropout(0.3), nn.Linear(96, 48), nn.ReLU())
        self.out = nn.Linear(48, n_classes)

    def forward(self, x):
        return self.out(self.body(x))


def main():
    args = parse()
    torch.manual_seed(args.seed)
    train_set, val_set, names = build_sets()
    train_loader = build_loader(train_set, args.batch_size)
    val_loader = build_loader(val_set, 50)
    model = ChordNet(train_set.tensors[0].shape[1], len(names))
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-2)
    for epoch in range(args.epochs):
        loss = train_epoch(model, train_loader, opt)
        acc, recall = report(model, val_loader, names)
        detail = " ".join(f"{k}={v:.2f}" for k, v in recall.items())
        print(f"epoch {epoch:02d} loss {loss:.4f} val_acc {acc:.4f} [{detail}]")


if __name__ == "__main__":
    main()

import argparse
from pathlib import Path

import torch
from torch.utils.data import DataLoader, random_split

from scans import ScanDataset, SmallCNN, fit


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--folder", type=Path, default=Path(__file__).parent / "archive")
    p.add_argument("--epochs", type=int, default=8)
    p.add_argument("--lr", type=float, default=0.02)
    p.add_argument("--batch", type=int, default=48)
    return p.parse_args()


if __name__ == "__main__":
    args = parse()
    torch.manual_seed(1234)
    data = ScanDataset(args.folder)
    train, val = random_split(data, [0.8, 0.2])
    fit(
        SmallCNN(),
        DataLoader(train, batch_size=args.batch, shuffle=True),
        DataLoader(val, batch_size=256),
        epochs=args.epochs,
        lr=args.lr,
    )

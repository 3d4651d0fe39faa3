"""Read-out of water meters: train the digit classifier on the annotated crops."""
import argparse

import torch

from src.data import make_loaders
from src.model import MeterNet
from src.trainer import Trainer


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--root", default="data")
    p.add_argument("--epochs", type=int, default=18)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--seed", type=int, default=17)
    args = p.parse_args()

    torch.manual_seed(args.seed)
    train_loader, val_loader = make_loaders(args.root, args.batch_size, args.seed)
    model = MeterNet()
    print("parameters:", sum(q.numel() for q in model.parameters()))
    Trainer(model, train_loader, val_loader, args.lr).fit(args.epochs)


if __name__ == "__main__":
    main()

import argparse

import torch

from vib.data import load
from vib.engine import Engine
from vib.net import VibrationNet


def main():
    p = argparse.ArgumentParser(description="bearing state from short vibration records")
    p.add_argument("--data", default="bearings.npz")
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--lr", type=float, default=2e-3)
    args = p.parse_args()

    torch.manual_seed(5)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_loader, val_loader = load(args.data, args.batch_size)
    net = VibrationNet(n_states=4)
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=1e-4)
    engine = Engine(net, optimizer, device)

    for epoch in range(1, args.epochs + 1):
        tl = engine.train_epoch(train_loader)
        vl, acc = engine.evaluate(val_loader)
        print(f"epoch {epoch:2d}  train {tl:.4f}  val {vl:.4f}  acc {acc:.3f}")


if __name__ == "__main__":
    main()

import argparse
from pathlib import Path

import torch
import torch.nn.functional as F

from bearings.nets import Diagnoser, load_encoder
from bearings.signals import load

ROOT = Path(__file__).parent


def main():
    p = argparse.ArgumentParser(description="fault diagnosis for a new machine from few labelled windows")
    p.add_argument("--data", default="machine_7.npz")
    p.add_argument("--checkpoint", default="encoder.pt")
    p.add_argument("--epochs", type=int, default=60)
    p.add_argument("--encoder-lr", type=float, default=1e-4)
    p.add_argument("--head-lr", type=float, default=1e-2)
    p.add_argument("--seed", type=int, default=0)
    args = p.parse_args()
    torch.manual_seed(args.seed)

    (x_train, y_train), (x_test, y_test) = load(ROOT / args.data)
    model = Diagnoser(n_classes=int(y_train.max()) + 1)
    load_encoder(model.encoder, ROOT / args.checkpoint)

    opt = torch.optim.AdamW([
        {"params": model.encoder.parameters(), "lr": args.encoder_lr},
        {"params": model.head.parameters(), "lr": args.head_lr},
    ], weight_decay=1e-3)

    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(x_train)).split(20):
            loss = F.cross_entropy(model(x_train[idx]), y_train[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        if epoch % 5 == 0:
            model.eval()
            with torch.no_grad():
                acc = (model(x_test).argmax(1) == y_test).float().mean().item()
            print(f"epoch {epoch:3d}  loss {total / len(x_train):.4f}  test accuracy {acc:.3f}")


if __name__ == "__main__":
    main()

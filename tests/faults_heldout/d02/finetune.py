import argparse
import os

import torch
import torch.nn.functional as F

from net import ActivityNet
from signals import windows

HERE = os.path.dirname(os.path.abspath(__file__))


def load_trunk(model, path):
    """Start the backbone from the lab study; the head stays new (other classes)."""
    blob = torch.load(path, map_location="cpu")
    weights = {k: v for k, v in blob["state_dict"].items() if not k.startswith("cls.")}
    model.load_state_dict(weights, strict=False)
    print(f"restored {os.path.basename(path)} (epoch {blob['epoch']}, {len(weights)} tensors)")
    return model


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        acc = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return acc


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--ckpt", default=os.path.join(HERE, "lab_trunk.pt"))
    ap.add_argument("--shots", type=int, default=80)
    ap.add_argument("--epochs", type=int, default=32)
    ap.add_argument("--lr-trunk", type=float, default=1e-4)
    ap.add_argument("--lr-head", type=float, default=5e-3)
    args = ap.parse_args()
    torch.manual_seed(3)

    xtr, ytr = windows("target", args.shots, seed=21)
    xte, yte = windows("target", 1500, seed=22)
    model = load_trunk(ActivityNet(10), args.ckpt)
    opt = torch.optim.AdamW([
        {"params": model.backbone.parameters(), "lr": args.lr_trunk},
        {"params": model.head.parameters(), "lr": args.lr_head},
    ], weight_decay=1e-2)

    for epoch in range(args.epochs):
        total = 0.0
        for idx in torch.randperm(len(xtr)).split(16):
            loss = F.cross_entropy(model(xtr[idx]), ytr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        if epoch % 4 == 3:
            print(f"epoch {epoch + 1:3d}  loss {total / len(xtr):.4f}  test acc {accuracy(model, xte, yte):.4f}")


if __name__ == "__main__":
    main()

import argparse

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import CellDataset
from model import UNet


def soft_dice(logits, target, eps=1.0):
    p = torch.sigmoid(logits)
    inter = (p * target).sum(dim=(1, 2, 3))
    total = p.sum(dim=(1, 2, 3)) + target.sum(dim=(1, 2, 3))
    return (1 - (2 * inter + eps) / (total + eps)).mean()


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    inter = union = 0
    for x, y in loader:
        pred = model(x) > 0
        t = y > 0.5
        inter += (pred & t).sum().item()
        union += (pred | t).sum().item()
    return inter / max(union, 1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--batch-size", type=int, default=8)
    ap.add_argument("--lr", type=float, default=1e-2)
    ap.add_argument("--seed", type=int, default=5)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    train = DataLoader(CellDataset(320, args.seed, augment=True), args.batch_size, shuffle=True)
    val = DataLoader(CellDataset(80, args.seed + 1000), 40)
    model = UNet()
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs * len(train))

    for epoch in range(args.epochs):
        model.train()
        running = 0.0
        for x, y in train:
            logits = model(x)
            loss = F.binary_cross_entropy_with_logits(logits, y) + soft_dice(logits, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            running += loss.item() * len(x)
        print(f"epoch {epoch + 1:2d}  loss {running / len(train.dataset):.4f}  val IoU {evaluate(model, val):.3f}")


if __name__ == "__main__":
    main()

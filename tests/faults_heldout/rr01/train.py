"""Wafer map defect pattern classifier."""
import argparse
import time

import torch
import torch.nn.functional as F

from wafer.averaging import ModelAverage
from wafer.data import PATTERNS, loaders
from wafer.net import WaferNet


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    hits = total = 0
    loss = 0.0
    for x, y in loader:
        out = model(x)
        loss += F.cross_entropy(out, y, reduction="sum").item()
        hits += (out.argmax(1) == y).sum().item()
        total += len(y)
    return loss / total, hits / total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="wafer_maps.npz")
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--out", default="")
    args = ap.parse_args()

    torch.manual_seed(3)
    train, val = loaders(args.data, args.batch_size)
    model = WaferNet(len(PATTERNS))
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs * len(train))
    avg = ModelAverage(model)

    for epoch in range(1, args.epochs + 1):
        model.train()
        t0, seen, running = time.time(), 0, 0.0
        for x, y in train:
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            avg.update(model)
            running += loss.item() * len(y)
            seen += len(y)
        vloss, vacc = evaluate(avg.shadow, val)
        print(f"epoch {epoch:2d}  train loss {running / seen:.4f}  "
              f"val loss {vloss:.4f}  val acc {vacc:.3f}  ({time.time() - t0:.1f}s)")

    if args.out:
        torch.save(avg.shadow.state_dict(), args.out)


if __name__ == "__main__":
    main()

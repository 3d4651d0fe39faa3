"""Adapts the digit reader that was trained on printed digits to photos of utility meters."""
import argparse
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from net import DigitNet


def load(path):
    z = np.load(path)
    x = 1.0 - torch.from_numpy(z["images"]).float().div(255).unsqueeze(1)
    x = x - x.mean(dim=(2, 3), keepdim=True)
    x = x / x.std(dim=(2, 3), keepdim=True) * 0.37 + 0.3
    return x, torch.from_numpy(z["labels"]).long()


@torch.no_grad()
def score(model, loader):
    model.eval()
    loss = hits = n = 0
    for x, y in loader:
        out = model(x)
        loss += F.cross_entropy(out, y, reduction="sum").item()
        hits += (out.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, hits / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="meter_photos.npz")
    ap.add_argument("--weights", default="printed_digits.pt")
    ap.add_argument("--lr", type=float, default=2e-4)
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--seed", type=int, default=11)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    x, y = load(args.data)
    order = torch.randperm(len(x))
    n_val = len(x) // 4
    val, tr = order[:n_val], order[n_val:]
    train_loader = DataLoader(TensorDataset(x[tr], y[tr]), batch_size=args.batch, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[val], y[val]), batch_size=128)

    model = DigitNet()
    model.load_state_dict(torch.load(args.weights))
    # stroke detectors carry over from print; only the upper layers are adapted
    model.backbone.requires_grad_(False)
    params = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.AdamW(params, lr=args.lr, weight_decay=0.01)

    total = args.epochs * len(train_loader)
    warm = total // 20

    def factor(step):
        if step < warm:
            return (step + 1) / warm
        return 0.5 * (1 + math.cos(math.pi * (step - warm) / (total - warm)))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    print("before tuning: loss %.3f acc %.3f" % score(model, val_loader))
    for epoch in range(args.epochs):
        model.train()
        run = 0.0
        for xb, yb in train_loader:
            loss = F.cross_entropy(model(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            run += loss.item() * len(yb)
        if (epoch + 1) % 3 == 0:
            vl, va = score(model, val_loader)
            print(f"epoch {epoch + 1:2d}  train {run / len(tr):.3f}  val {vl:.3f}  acc {va:.3f}")


if __name__ == "__main__":
    main()

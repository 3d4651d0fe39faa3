"""Adapt the 0-5 digit backbone to the digits 6-9 (few labelled samples)."""
import argparse
from pathlib import Path

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from backbone import Backbone, Classifier

HERE = Path(__file__).parent


def load_split(n_train, seed):
    digits = load_digits()
    keep = digits.target >= 6
    x = (digits.images[keep] / 16.0).astype(np.float32)[:, None]
    y = digits.target[keep] - 6
    xa, xb, ya, yb = train_test_split(x, y, train_size=n_train, stratify=y, random_state=seed)
    return (TensorDataset(torch.from_numpy(xa), torch.from_numpy(ya)),
            TensorDataset(torch.from_numpy(xb), torch.from_numpy(yb)))


def set_train(model):
    model.train()
    model.backbone.stem.eval()      # keep the statistics of the frozen stem


@torch.no_grad()
def confusion(model, loader, k=4):
    model.eval()
    table = torch.zeros(k, k, dtype=torch.long)
    for x, y in loader:
        p = model(x).argmax(1)
        for t, q in zip(y, p):
            table[t, q] += 1
    return table


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--n-train", type=int, default=240)
    ap.add_argument("--lr-body", type=float, default=2e-4)
    ap.add_argument("--lr-head", type=float, default=5e-3)
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    train_set, val_set = load_split(args.n_train, 7)
    train_loader = DataLoader(train_set, batch_size=24, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=128)

    backbone = Backbone()
    backbone.load_state_dict(torch.load(HERE / "backbone.pt")["state"])
    for p in backbone.stem.parameters():
        p.requires_grad_(False)
    model = Classifier(backbone, 4)

    body = [p for p in backbone.parameters() if p.requires_grad]
    opt = torch.optim.AdamW([{"params": body, "lr": args.lr_body},
                             {"params": model.head.parameters(), "lr": args.lr_head}], weight_decay=0.01)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs * len(train_loader))
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)

    for epoch in range(args.epochs):
        set_train(model)
        losses = []
        for x, y in train_loader:
            opt.zero_grad(set_to_none=True)
            loss = criterion(model(x), y)
            loss.backward()
            opt.step()
            sched.step()
            losses.append(loss.item())
        if epoch % 3 == 2:
            table = confusion(model, val_loader)
            recall = table.diag().float() / table.sum(1)
            print(f"epoch {epoch + 1:2d} loss {np.mean(losses):.3f} balanced acc {recall.mean():.3f}")
    print(table)


if __name__ == "__main__":
    main()

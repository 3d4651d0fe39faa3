"""Handwritten digit classifier (8x8) with a small CNN."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


class DigitNet(nn.Module):
    def __init__(self, width=24, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, 2 * width, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(2 * width)
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(2 * width * 4, classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)
        return self.fc(self.drop(x.flatten(1)))


def get_loaders(batch_size, seed):
    digits = load_digits()
    x = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16.0
    y = torch.tensor(digits.target)
    tr, va = train_test_split(range(len(y)), test_size=0.25, stratify=digits.target, random_state=seed)
    mean, std = x[tr].mean(), x[tr].std()
    x = (x - mean) / std
    gen = torch.Generator().manual_seed(seed)
    train = DataLoader(TensorDataset(x[tr], y[tr]), batch_size, shuffle=True, generator=gen)
    val = DataLoader(TensorDataset(x[va], y[va]), 256)
    return train, val


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    loss, correct, n = 0.0, 0, 0
    for x, y in loader:
        out = model(x)
        loss += F.cross_entropy(out, y, reduction="sum").item()
        correct += (out.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, correct / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--seed", type=int, default=3)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    train, val = get_loaders(args.batch_size, args.seed)
    model = DigitNet()
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs * len(train))
    for epoch in range(args.epochs):
        model.train()
        total, seen = 0.0, 0
        for x, y in train:
            opt.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item() * len(y)
            seen += len(y)
        vl, va = evaluate(model, val)
        print(f"epoch {epoch + 1:2d}  train {total / seen:.4f}  val {vl:.4f}  acc {va:.4f}  lr {sched.get_last_lr()[0]:.2e}")


if __name__ == "__main__":
    main()

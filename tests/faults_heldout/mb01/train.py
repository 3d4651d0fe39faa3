"""Small convnet on the 8x8 digits of scikit-learn."""
import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


class ConvNet(nn.Module):
    def __init__(self, width=24, n_classes=10, p_drop=0.2):
        super().__init__()
        self.stem = self._block(1, width)
        self.mid = self._block(width, 2 * width)
        self.deep = self._block(2 * width, 2 * width)
        self.drop = nn.Dropout(p_drop)
        self.fc = nn.Linear(2 * width, n_classes)

    @staticmethod
    def _block(cin, cout):
        return nn.Sequential(
            nn.Conv2d(cin, cout, 3, padding=1, bias=False),
            nn.BatchNorm2d(cout),
            nn.ReLU(inplace=True),
        )

    def forward(self, x):
        x = F.max_pool2d(self.stem(x), 2)
        x = self.deep(self.mid(x))
        x = x.mean(dim=(2, 3))
        return self.fc(self.drop(x))


def get_loaders(batch_size, seed):
    digits = load_digits()
    x = digits.images.astype(np.float32)
    y = digits.target.astype(np.int64)
    x_tr, x_te, y_tr, y_te = train_test_split(x, y, test_size=0.2, stratify=y, random_state=seed)
    x_tr, x_va, y_tr, y_va = train_test_split(x_tr, y_tr, test_size=0.15, stratify=y_tr, random_state=seed)
    mean, std = x_tr.mean(), x_tr.std()

    def make(x, y, shuffle):
        ds = TensorDataset(torch.from_numpy((x - mean) / std).unsqueeze(1), torch.from_numpy(y))
        return DataLoader(ds, batch_size=batch_size, shuffle=shuffle)

    return make(x_tr, y_tr, True), make(x_va, y_va, False), make(x_te, y_te, False)


def run_epoch(model, loader, optimizer):
    model.train()
    total, correct, n = 0.0, 0, 0
    for x, y in loader:
        optimizer.zero_grad()
        out = model(x)
        loss = F.cross_entropy(out, y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        correct += (out.argmax(1) == y).sum().item()
        n += len(y)
    return total / n, correct / n


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    total, correct, n = 0.0, 0, 0
    for x, y in loader:
        out = model(x)
        total += F.cross_entropy(out, y, reduction="sum").item()
        correct += (out.argmax(1) == y).sum().item()
        n += len(y)
    return total / n, correct / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=14)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=7)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    train, val, test = get_loaders(args.batch_size, args.seed)
    model = ConvNet()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-2)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)
    for epoch in range(1, args.epochs + 1):
        tl, ta = run_epoch(model, train, optimizer)
        scheduler.step()
        vl, va = evaluate(model, val)
        print(f"epoch {epoch:2d}  train {tl:.4f}/{ta:.3f}  val {vl:.4f}/{va:.3f}")
    print("test loss %.4f acc %.4f" % evaluate(model, test))


if __name__ == "__main__":
    main()

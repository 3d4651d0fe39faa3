"""Small convnet on the 8x8 handwritten digits."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=20)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--weight-decay", type=float, default=1e-2)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


class DigitNet(nn.Module):
    def __init__(self, n_classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.fc1 = nn.Linear(32 * 4 * 4, 64)
        self.drop = nn.Dropout(0.2)
        self.fc2 = nn.Linear(64, n_classes)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = F.relu(self.fc1(x.flatten(1)))
        return self.fc2(self.drop(x))


def load(batch_size):
    digits = load_digits()
    x = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16.0
    x = (x - 0.3) / 0.38
    y = torch.tensor(digits.target)
    tr, te = train_test_split(range(len(y)), test_size=0.25, stratify=digits.target, random_state=3)
    train = DataLoader(TensorDataset(x[tr], y[tr]), batch_size=batch_size, shuffle=True)
    test = DataLoader(TensorDataset(x[te], y[te]), batch_size=256)
    return train, test


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    loss = correct = n = 0
    for xb, yb in loader:
        out = model(xb)
        loss += F.cross_entropy(out, yb, reduction="sum").item()
        correct += (out.argmax(1) == yb).sum().item()
        n += len(yb)
    return loss / n, correct / n


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    train, test = load(args.batch_size)
    model = DigitNet()
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    for epoch in range(1, args.epochs + 1):
        model.train()
        total = n = 0
        for xb, yb in train:
            opt.zero_grad()
            loss = F.cross_entropy(model(xb), yb)
            loss.backward()
            opt.step()
            total += loss.item() * len(yb)
            n += len(yb)
        val_loss, val_acc = evaluate(model, test)
        print(f"epoch {epoch:2d}  train loss {total / n:.4f}  test loss {val_loss:.4f}  test acc {val_acc:.4f}")


if __name__ == "__main__":
    main()

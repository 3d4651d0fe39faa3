import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, TensorDataset, random_split


class BasicBlock(nn.Module):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(cout)
        self.short = nn.Identity()
        if stride != 1 or cin != cout:
            self.short = nn.Sequential(nn.Conv2d(cin, cout, 1, stride, bias=False), nn.BatchNorm2d(cout))

    def forward(self, x):
        h = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(h)) + self.short(x))


class TinyResNet(nn.Module):
    def __init__(self, widths=(16, 24, 32), n_classes=10):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, widths[0], 3, 1, 1, bias=False), nn.BatchNorm2d(widths[0]), nn.ReLU())
        self.stages = nn.Sequential(
            BasicBlock(widths[0], widths[0]), BasicBlock(widths[0], widths[1], 2), BasicBlock(widths[1], widths[2], 2)
        )
        self.fc = nn.Linear(widths[2], n_classes)

    def forward(self, x):
        return self.fc(self.stages(self.stem(x)).mean((2, 3)))


def warmup_cosine(optimizer, epochs, warmup_epochs=1, iters_per_epoch=1, floor=0.0):
    """Linear warm-up, then cosine down to ``floor`` at the end of training."""
    warm, total = warmup_epochs * iters_per_epoch, epochs * iters_per_epoch

    def factor(it):
        if it < warm:
            return (it + 1) / warm
        t = min(1.0, (it - warm) / max(1, total - warm))
        return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * t))

    return LambdaLR(optimizer, factor)


class Trainer:
    def __init__(self, model, train_set, val_set, args):
        self.model = model
        self.train_loader = DataLoader(train_set, args.batch, shuffle=True)
        self.val_loader = DataLoader(val_set, 256)
        self.epochs = args.epochs
        self.optimizer = torch.optim.SGD(model.parameters(), args.lr, momentum=0.9, weight_decay=5e-4, nesterov=True)
        self.scheduler = warmup_cosine(self.optimizer, args.epochs, args.warmup)

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(x), y, label_smoothing=0.05)
        loss.backward()
        self.optimizer.step()
        self.scheduler.step()
        return loss.item()

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        hits = sum((self.model(x).argmax(1) == y).sum().item() for x, y in self.val_loader)
        return hits / len(self.val_loader.dataset)

    def fit(self):
        for epoch in range(self.epochs):
            self.model.train()
            losses = [self.step(x, y) for x, y in self.train_loader]
            print(f"epoch {epoch:2d}: loss {sum(losses) / len(losses):.4f}, val acc {self.validate():.4f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--warmup", type=int, default=1)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--seed", type=int, default=123)
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    digits = load_digits()
    x = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 8.0 - 1.0
    data = TensorDataset(x, torch.tensor(digits.target))
    train_set, val_set = random_split(data, [1400, len(data) - 1400])
    Trainer(TinyResNet(), train_set, val_set, args).fit()

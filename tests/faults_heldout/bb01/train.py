"""Handwritten digit classifier (8x8 scans) with a small residual CNN."""
import argparse
import copy
import math
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


class ResBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.conv1 = nn.Conv2d(c, c, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(c)
        self.conv2 = nn.Conv2d(c, c, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(c)

    def forward(self, x):
        h = F.relu(self.bn1(self.conv1(x)))
        return F.relu(x + self.bn2(self.conv2(h)))


class DigitNet(nn.Module):
    def __init__(self, width=24, n_classes=10):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU())
        self.block1 = ResBlock(width)
        self.down = nn.Sequential(
            nn.Conv2d(width, 2 * width, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(2 * width), nn.ReLU())
        self.block2 = ResBlock(2 * width)
        self.fc = nn.Linear(2 * width, n_classes)

    def forward(self, x):
        x = self.block2(self.down(self.block1(self.stem(x))))
        return self.fc(x.mean(dim=(2, 3)))


class ModelEMA:
    """Exponential moving average of weights, buffers are copied."""

    def __init__(self, model, decay):
        self.module = copy.deepcopy(model).eval()
        for p in self.module.parameters():
            p.requires_grad_(False)
        self.decay = decay
        self.updates = 0

    @torch.no_grad()
    def update(self, model):
        self.updates += 1
        d = min(self.decay, (1 + self.updates) / (10 + self.updates))
        for e, p in zip(self.module.parameters(), model.parameters()):
            e.lerp_(p, 1 - d)
        for e, b in zip(self.module.buffers(), model.buffers()):
            e.copy_(b)


def random_shift(x):
    """Shift every image by -1, 0 or 1 pixel per axis (zero fill)."""
    n = x.size(0)
    padded = F.pad(x, (1, 1, 1, 1))
    dy = torch.randint(0, 3, (n,))
    dx = torch.randint(0, 3, (n,))
    rows = dy[:, None] + torch.arange(8)
    cols = dx[:, None] + torch.arange(8)
    idx = torch.arange(n)[:, None, None]
    return padded[idx, 0, rows[:, :, None], cols[:, None, :]].unsqueeze(1)


class Trainer:
    def __init__(self, model, args, steps_per_epoch):
        self.model = model
        self.args = args
        decay, no_decay = [], []
        for p in model.parameters():
            (decay if p.ndim > 1 else no_decay).append(p)
        self.opt = torch.optim.AdamW(
            [{"params": decay, "weight_decay": args.wd}, {"params": no_decay, "weight_decay": 0.0}], lr=args.lr)
        total = args.epochs * steps_per_epoch
        warm = steps_per_epoch

        def factor(step):
            if step < warm:
                return (step + 1) / warm
            return 0.5 * (1 + math.cos(math.pi * (step - warm) / (total - warm)))

        self.sched = torch.optim.lr_scheduler.LambdaLR(self.opt, factor)
        self.crit = nn.CrossEntropyLoss(label_smoothing=0.1)
        self.ema = ModelEMA(model, 0.98)

    def fit_epoch(self, loader):
        self.model.train()
        total, count = 0.0, 0
        for x, y in loader:
            x = random_shift(x)
            loss = self.crit(self.model(x), y)
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
            self.opt.step()
            self.sched.step()
            self.ema.update(self.model)
            total += loss.item() * len(y)
            count += len(y)
        return total / count

    @torch.no_grad()
    def accuracy(self, net, loader):
        net.eval()
        hits = sum((net(x).argmax(1) == y).sum().item() for x, y in loader)
        return hits / len(loader.dataset)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=9)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--wd", type=float, default=0.02)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--seed", type=int, default=7)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    images, labels = load_digits(return_X_y=True)
    images = (images.reshape(-1, 1, 8, 8) / 16.0).astype(np.float32)
    xa, xb, ya, yb = train_test_split(images, labels, test_size=0.25, stratify=labels, random_state=args.seed)
    train_ds = TensorDataset(torch.from_numpy(xa), torch.from_numpy(ya))
    val_ds = TensorDataset(torch.from_numpy(xb), torch.from_numpy(yb))
    train_dl = DataLoader(train_ds, batch_size=args.batch_size, shuffle=True, drop_last=True)
    val_dl = DataLoader(val_ds, batch_size=256)

    trainer = Trainer(DigitNet(), args, len(train_dl))
    for epoch in range(1, args.epochs + 1):
        t0 = time.time()
        loss = trainer.fit_epoch(train_dl)
        print(f"epoch {epoch:2d}  loss {loss:.4f}  val acc {trainer.accuracy(trainer.model, val_dl):.4f}  "
              f"ema acc {trainer.accuracy(trainer.ema.module, val_dl):.4f}  ({time.time() - t0:.1f}s)")


if __name__ == "__main__":
    main()

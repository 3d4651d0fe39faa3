import argparse
import random

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from plates import ScanSet, read_scans, split


class Reader(nn.Module):
    def __init__(self, width, classes=10, drop=0.25):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, 2 * width, 3, padding=1, bias=False),
            nn.BatchNorm2d(2 * width),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(2),
        )
        self.classify = nn.Sequential(nn.Flatten(), nn.Dropout(drop), nn.Linear(2 * width * 16, classes))

    def forward(self, x):
        return self.classify(self.features(x))


class Fitter:
    def __init__(self, model, lr, weight_decay, epochs, steps_per_epoch):
        self.model = model
        self.epochs = epochs
        self.criterion = nn.CrossEntropyLoss()
        self.optim = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, weight_decay=weight_decay, nesterov=True)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.optim, T_max=epochs * steps_per_epoch)

    def run_epoch(self, loader):
        self.model.train()
        total = 0.0
        for images, digits in loader:
            self.optim.zero_grad()
            loss = self.criterion(self.model(images), digits)
            loss.backward()
            self.optim.step()
            self.sched.step()
            total += loss.item() * len(digits)
        return total / len(loader.dataset)

    @torch.no_grad()
    def score(self, loader):
        self.model.eval()
        loss, hits = 0.0, 0
        for images, digits in loader:
            out = self.model(images)
            loss += self.criterion(out, digits).item() * len(digits)
            hits += (out.argmax(1) == digits).sum().item()
        n = len(loader.dataset)
        return loss / n, hits / n


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--scans", default="data/scans.npz")
    p.add_argument("--labels", default="data/labels.csv")
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--lr", type=float, default=0.02)
    p.add_argument("--seed", type=int, default=2024)
    return p.parse_args()


if __name__ == "__main__":
    a = parse()
    random.seed(a.seed)
    np.random.seed(a.seed)
    torch.manual_seed(a.seed)

    images, labels = read_scans(a.scans, a.labels)
    tr, va = split(len(labels), 0.2, a.seed)
    train_loader = DataLoader(ScanSet(images[tr], labels[tr], jitter=True), batch_size=a.batch, shuffle=True)
    val_loader = DataLoader(ScanSet(images[va], labels[va]), batch_size=256)

    fitter = Fitter(Reader(16), a.lr, 5e-4, a.epochs, len(train_loader))
    for epoch in range(1, a.epochs + 1):
        train_loss = fitter.run_epoch(train_loader)
        val_loss, val_acc = fitter.score(val_loader)
        print(f"[{epoch:02d}/{a.epochs}] train {train_loss:.3f} | val {val_loss:.3f} acc {val_acc:.3f}")

"""Digit recogniser for the meter-reading app (8x8 crops)."""
import tomllib
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

HERE = Path(__file__).resolve().parent


class MeterNet(nn.Module):
    def __init__(self, width, dropout, n_classes=10):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.head = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(dropout),
            nn.Linear(2 * width * 4, 64),
            nn.ReLU(),
            nn.Linear(64, n_classes),
        )

    def forward(self, x):
        return self.head(self.features(x))


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["data"]["seed"])
        self.train_loader, self.test_loader = self._loaders()
        self.model = MeterNet(**cfg["model"])
        o = cfg["optim"]
        self.optimizer = torch.optim.SGD(
            self.model.parameters(),
            lr=o["lr"],
            momentum=o["momentum"],
            weight_decay=o["weight_decay"],
        )
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=o["gamma"])
        self.criterion = nn.CrossEntropyLoss()

    def _loaders(self):
        d = self.cfg["data"]
        digits = load_digits()
        x = (digits.images.astype(np.float32) / 16.0)[:, None]
        y = digits.target.astype(np.int64)
        xtr, xte, ytr, yte = train_test_split(
            x, y, test_size=d["test_fraction"], stratify=y, random_state=d["seed"]
        )
        mean, std = float(xtr.mean()), float(xtr.std())
        to_ds = lambda a, b: TensorDataset(torch.from_numpy((a - mean) / std), torch.from_numpy(b))
        return (
            DataLoader(to_ds(xtr, ytr), batch_size=d["batch_size"], shuffle=True),
            DataLoader(to_ds(xte, yte), batch_size=256),
        )

    def train_epoch(self):
        self.model.train()
        total, n = 0.0, 0
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.scheduler.step()
            total += loss.item() * len(y)
            n += len(y)
        return total / n

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        correct, n, total = 0, 0, 0.0
        for x, y in self.test_loader:
            logits = self.model(x)
            total += self.criterion(logits, y).item() * len(y)
            correct += (logits.argmax(1) == y).sum().item()
            n += len(y)
        return total / n, correct / n

    def fit(self):
        for epoch in range(1, self.cfg["train"]["epochs"] + 1):
            tr = self.train_epoch()
            te, acc = self.evaluate()
            print(f"[{epoch:02d}] train={tr:.4f} test={te:.4f} acc={acc:.4f}")


if __name__ == "__main__":
    with open(HERE / "config.toml", "rb") as f:
        Trainer(tomllib.load(f)).fit()

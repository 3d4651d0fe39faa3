"""Handwritten digit classifier for the form reader (8x8 crops)."""
import logging
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("forms")
HERE = Path(__file__).resolve().parent


def load_split(name):
    with np.load(HERE / "crops.npz") as z:
        x = z[f"x_{name}"].astype(np.float32) / 16.0
        y = z[f"y_{name}"].astype(np.int64)
    x = (x - 0.305) / 0.376
    return TensorDataset(torch.from_numpy(x).view(-1, 1, 8, 8), torch.from_numpy(y))


class CropNet(nn.Module):
    def __init__(self, width=32, classes=10):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        )
        self.head = nn.Linear(2 * width * 4, classes)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


class Trainer:
    def __init__(self, model, train_set, val_set, lr=1e-3, batch_size=48):
        self.model = model
        self.train_loader = DataLoader(train_set, batch_size=batch_size, shuffle=True)
        self.val_loader = DataLoader(val_set, batch_size=250)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.01)
        self.criterion = nn.CrossEntropyLoss()

    def train_epoch(self):
        self.model.train()
        total, hits, seen = 0.0, 0, 0
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            logits = self.model(x)
            loss = self.criterion(logits, y)
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(y)
            hits += (logits.argmax(1) == y).sum().item()
            seen += len(y)
        return total / seen, hits / seen

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        total, hits, seen = 0.0, 0, 0
        for x, y in self.val_loader:
            logits = self.model(x)
            total += self.criterion(logits, y).item() * len(y)
            hits += (logits.argmax(1) == y).sum().item()
            seen += len(y)
        return total / seen, hits / seen

    def fit(self, epochs):
        for epoch in range(1, epochs + 1):
            tl, ta = self.train_epoch()
            vl, va = self.evaluate()
            log.info("epoch %2d  train loss %.4f acc %.3f | val loss %.4f acc %.3f", epoch, tl, ta, vl, va)


if __name__ == "__main__":
    torch.manual_seed(17)
    trainer = Trainer(CropNet(), load_split("train"), load_split("val"))
    trainer.fit(epochs=25)

"""Small CNN on the 8x8 digits, with gradient accumulation."""
import logging
from dataclasses import dataclass

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("digits")


@dataclass
class Config:
    lr: float = 2e-3
    weight_decay: float = 1e-4
    micro_batch: int = 16
    accum: int = 4
    epochs: int = 8
    seed: int = 3


class DigitNet(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1), nn.ReLU(),
            nn.AdaptiveAvgPool2d(2), nn.Flatten(),
        )
        self.head = nn.Linear(8 * width, 10)

    def forward(self, x):
        return self.head(self.body(x))


class Trainer:
    def __init__(self, cfg, model, train_loader, val_loader):
        self.cfg = cfg
        self.model = model
        self.train_loader, self.val_loader = train_loader, val_loader
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
        self.criterion = nn.CrossEntropyLoss()

    def run_epoch(self):
        self.model.train()
        total, n = 0.0, 0
        self.optimizer.zero_grad()
        for i, (x, y) in enumerate(self.train_loader):
            loss = self.criterion(self.model(x), y)
            (loss / self.cfg.accum).backward()
            # one update for every `accum` micro-batches
            if (i + 1) % self.cfg.accum == self.cfg.accum:
                self.optimizer.step()
                self.optimizer.zero_grad()
            total += loss.item() * len(x)
            n += len(x)
        return total / n

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        hits = n = 0
        for x, y in self.val_loader:
            hits += (self.model(x).argmax(1) == y).sum().item()
            n += len(y)
        return hits / n

    def fit(self):
        for epoch in range(1, self.cfg.epochs + 1):
            loss = self.run_epoch()
            acc = self.validate()
            log.info("epoch %02d  train loss %.4f  val acc %.4f", epoch, loss, acc)


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16.0
    y = torch.tensor(d.target)
    tr, va = train_test_split(range(len(y)), test_size=0.2, stratify=d.target, random_state=cfg.seed)
    train_loader = DataLoader(TensorDataset(x[tr], y[tr]), batch_size=cfg.micro_batch, shuffle=True, drop_last=True)
    val_loader = DataLoader(TensorDataset(x[va], y[va]), batch_size=256)
    Trainer(cfg, DigitNet(), train_loader, val_loader).fit()


if __name__ == "__main__":
    main()

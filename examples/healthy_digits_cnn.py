"""Digits with a convolutional network, AdamW and a one-cycle schedule."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass(frozen=True)
class Config:
    epochs: int = 10
    batch_size: int = 32
    max_lr: float = 4e-3
    weight_decay: float = 0.01
    dropout: float = 0.2
    seed: int = 3


class ConvBlock(nn.Sequential):
    def __init__(self, c_in: int, c_out: int) -> None:
        super().__init__(
            nn.Conv2d(c_in, c_out, 3, padding=1, bias=False),
            nn.BatchNorm2d(c_out),
            nn.ReLU(),
            nn.MaxPool2d(2),
        )


def build_model(cfg: Config) -> nn.Module:
    return nn.Sequential(
        ConvBlock(1, 16),
        ConvBlock(16, 32),
        nn.Flatten(),
        nn.Dropout(cfg.dropout),
        nn.Linear(32 * 2 * 2, 10),
    )


def build_data(cfg: Config) -> tuple[DataLoader, DataLoader]:
    data = load_digits()
    x = torch.tensor(data.images, dtype=torch.float32).unsqueeze(1) / 16.0
    y = torch.tensor(data.target)
    train_idx, val_idx = train_test_split(range(len(y)), test_size=0.2, random_state=cfg.seed, stratify=y)
    mean, std = x[train_idx].mean(), x[train_idx].std()
    x = (x - mean) / std
    train = DataLoader(TensorDataset(x[train_idx], y[train_idx]), batch_size=cfg.batch_size, shuffle=True, drop_last=True)
    val = DataLoader(TensorDataset(x[val_idx], y[val_idx]), batch_size=180)
    return train, val


@torch.no_grad()
def validate(model: nn.Module, loader: DataLoader) -> tuple[float, float]:
    model.eval()
    losses, hits, count = 0.0, 0, 0
    for x, y in loader:
        logits: Tensor = model(x)
        losses += F.cross_entropy(logits, y, reduction="sum").item()
        hits += int((logits.argmax(1) == y).sum())
        count += len(y)
    return losses / count, hits / count


def train(cfg: Config) -> None:
    torch.manual_seed(cfg.seed)
    train_loader, val_loader = build_data(cfg)
    model = build_model(cfg)
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.max_lr, weight_decay=cfg.weight_decay)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=cfg.max_lr, total_steps=cfg.epochs * len(train_loader)
    )
    for epoch in range(cfg.epochs):
        model.train()
        total = 0.0
        for x, y in train_loader:
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            scheduler.step()
            total += loss.item()
        val_loss, val_acc = validate(model, val_loader)
        print(f"epoch {epoch:2d} train {total / len(train_loader):.4f} val {val_loss:.4f} acc {val_acc:.4f}")


if __name__ == "__main__":
    train(Config())

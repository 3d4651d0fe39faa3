"""Train a classifier on a CSV table. Settings come from config.json next to this file."""
import csv
import json
import random
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

HERE = Path(__file__).parent


@dataclass
class Config:
    train_csv: str = "train.csv"
    val_csv: str = "val.csv"
    hidden: list[int] = field(default_factory=lambda: [64, 64])
    activation: str = "relu"
    dropout: float = 0.0
    batch_size: int = 16
    epochs: int = 40
    lr: float = 1e-3
    weight_decay: float = 0.0
    betas: list[float] = field(default_factory=lambda: [0.9, 0.999])
    eps: float = 1e-8
    clip_norm: float = 0.0
    shuffle: bool = True
    normalize: bool = True
    seed: int = 0


def read_table(path):
    with open(path, newline="") as f:
        rows = list(csv.reader(f))
    header, rows = rows[0], rows[1:]
    features = torch.tensor([[float(v) for v in r[:-1]] for r in rows])
    labels = torch.tensor([int(r[-1]) for r in rows])
    return header, features, labels


def build_model(n_in, n_out, cfg):
    act = {"relu": nn.ReLU, "tanh": nn.Tanh, "gelu": nn.GELU, "sigmoid": nn.Sigmoid, "identity": nn.Identity}[cfg.activation]
    layers, width = [], n_in
    for h in cfg.hidden:
        layers += [nn.Linear(width, h), act()]
        if cfg.dropout > 0:
            layers.append(nn.Dropout(cfg.dropout))
        width = h
    layers.append(nn.Linear(width, n_out))
    return nn.Sequential(*layers)


@torch.no_grad()
def evaluate(model, loader, loss_fn):
    model.eval()
    total, correct, n = 0.0, 0, 0
    for x, y in loader:
        out = model(x)
        total += loss_fn(out, y).item() * len(y)
        correct += (out.argmax(1) == y).sum().item()
        n += len(y)
    return total / n, correct / n


def main():
    cfg = Config(**json.loads((HERE / "config.json").read_text()))
    random.seed(cfg.seed)
    torch.manual_seed(cfg.seed)

    _, x_train, y_train = read_table(HERE / cfg.train_csv)
    _, x_val, y_val = read_table(HERE / cfg.val_csv)
    if cfg.normalize:
        mean, std = x_train.mean(0), x_train.std(0)
        x_train, x_val = (x_train - mean) / std, (x_val - mean) / std
    train_loader = DataLoader(TensorDataset(x_train, y_train), batch_size=cfg.batch_size, shuffle=cfg.shuffle)
    val_loader = DataLoader(TensorDataset(x_val, y_val), batch_size=256)

    model = build_model(x_train.shape[1], int(y_train.max()) + 1, cfg)
    loss_fn = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=cfg.lr, betas=tuple(cfg.betas), eps=cfg.eps, weight_decay=cfg.weight_decay
    )
    for epoch in range(cfg.epochs):
        model.train()
        running = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            if cfg.clip_norm > 0:
                nn.utils.clip_grad_norm_(model.parameters(), cfg.clip_norm)
            optimizer.step()
            running += loss.item() * len(y)
        if (epoch + 1) % 4 == 0:
            val_loss, val_acc = evaluate(model, val_loader, loss_fn)
            print(f"epoch={epoch + 1} train_loss={running / len(y_train):.4f} val_loss={val_loss:.4f} val_acc={val_acc:.3f}")


if __name__ == "__main__":
    main()

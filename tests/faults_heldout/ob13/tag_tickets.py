"""Multi-label tagging of support tickets from precomputed text features."""
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import average_precision_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    data: Path = Path(__file__).resolve().parent / "tickets.npz"
    hidden: int = 128
    depth: int = 3
    prior: float = 0.02
    batch_size: int = 64
    epochs: int = 20
    lr: float = 1.5e-3
    weight_decay: float = 1e-4
    seed: int = 99


class Tagger(nn.Module):
    def __init__(self, n_in, n_tags, cfg):
        super().__init__()
        dims = [n_in] + [cfg.hidden] * cfg.depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims, dims[1:]))
        self.head = nn.Linear(cfg.hidden, n_tags)
        self.apply(lambda m: self.init_weights(m, cfg.prior))

    @staticmethod
    def init_weights(module, prior):
        # tags are rare: start from their prior so that the first epochs are stable
        if isinstance(module, nn.Linear):
            nn.init.kaiming_uniform_(module.weight, nonlinearity="relu")
            nn.init.constant_(module.bias, -math.log((1 - prior) / prior))

    def forward(self, x):
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.head(x)


def load_split(cfg):
    raw = np.load(cfg.data)
    x = raw["features"].astype(np.float32)
    y = raw["tags"].astype(np.float32)
    order = np.random.default_rng(cfg.seed).permutation(len(x))
    tr, va = order[800:], order[:800]
    mean, std = x[tr].mean(0), x[tr].std(0)
    x = (x - mean) / std
    return [TensorDataset(torch.from_numpy(x[i]), torch.from_numpy(y[i])) for i in (tr, va)]


def train(cfg):
    torch.manual_seed(cfg.seed)
    train_set, val_set = load_split(cfg)
    loader = DataLoader(train_set, batch_size=cfg.batch_size, shuffle=True)
    xv, yv = val_set.tensors
    model = Tagger(xv.shape[1], yv.shape[1], cfg)
    loss_fn = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, cfg.epochs)

    for epoch in range(cfg.epochs):
        model.train()
        total = 0.0
        for x, y in loader:
            loss = loss_fn(model(x), y)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(x)
        scheduler.step()
        model.eval()
        with torch.no_grad():
            logits = model(xv)
        val = loss_fn(logits, yv).item()
        ap = average_precision_score(yv.numpy(), logits.sigmoid().numpy(), average="macro")
        print(f"epoch {epoch + 1:02d}  train {total / len(train_set):.4f}  val {val:.4f}  mAP {ap:.3f}")


if __name__ == "__main__":
    train(Config())

"""Customer churn from categorical and numeric account attributes."""
from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

ROOT = Path(__file__).parent


@dataclass
class Settings:
    emb_dim: int = 6
    hidden: tuple = (64, 32)
    dropout: float = 0.15
    lr: float = 2e-3
    weight_decay: float = 1e-3
    batch_size: int = 100
    epochs: int = 12
    seed: int = 4
    columns: dict = field(default_factory=dict)


class Table:
    """Columns by name, as written by the export job."""

    def __init__(self, path: Path, columns: dict):
        raw = np.load(path)
        self.cat = torch.from_numpy(np.stack([raw[c] for c in columns["categorical"]], 1)).long()
        self.num = torch.from_numpy(np.stack([raw[c] for c in columns["numeric"]], 1)).float()
        self.y = torch.from_numpy(raw[columns["target"]]).float()

    def dataset(self) -> TensorDataset:
        return TensorDataset(self.cat, self.num, self.y)


class ChurnNet(nn.Module):
    def __init__(self, cardinalities, n_num, cfg: Settings):
        super().__init__()
        self.embeddings = nn.ModuleList(nn.Embedding(c, cfg.emb_dim) for c in cardinalities)
        width = cfg.emb_dim * len(cardinalities) + n_num
        layers = []
        for h in cfg.hidden:
            layers += [nn.Linear(width, h), nn.ReLU(), nn.Dropout(cfg.dropout)]
            width = h
        self.body = nn.Sequential(*layers)
        self.out = nn.Linear(width, 1)

    def forward(self, cat, num):
        parts = [emb(cat[:, i]) for i, emb in enumerate(self.embeddings)] + [num]
        return self.out(self.body(torch.cat(parts, 1))).squeeze(1)


def auc(score: torch.Tensor, y: torch.Tensor) -> float:
    rank = torch.empty_like(score)
    rank[score.argsort()] = torch.arange(1, len(score) + 1, dtype=score.dtype)
    pos = y == 1
    n1, n0 = pos.sum().item(), (~pos).sum().item()
    return (rank[pos].sum().item() - n1 * (n1 + 1) / 2) / (n1 * n0)


def run(cfg: Settings):
    torch.manual_seed(cfg.seed)
    train = Table(ROOT / "accounts_train.npz", cfg.columns)
    valid = Table(ROOT / "accounts_valid.npz", cfg.columns)
    cards = cfg.columns["cardinality"]
    model = ChurnNet(cards, train.num.shape[1], cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    bce = nn.BCEWithLogitsLoss()
    loader = DataLoader(train.dataset(), batch_size=cfg.batch_size, shuffle=True)

    for epoch in range(cfg.epochs):
        model.train()
        losses = []
        for cat, num, y in loader:
            opt.zero_grad()
            loss = bce(model(cat, num), y)
            loss.backward()
            opt.step()
            losses.append(loss.item())
        model.eval()
        with torch.no_grad():
            logits = model(valid.cat, valid.num)
            vloss = bce(logits, valid.y).item()
        print(f"{epoch + 1:02d}/{cfg.epochs} train {np.mean(losses):.4f} valid {vloss:.4f} auc {auc(logits, valid.y):.3f}")


if __name__ == "__main__":
    run(Settings(columns=json.loads((ROOT / "columns.json").read_text())))

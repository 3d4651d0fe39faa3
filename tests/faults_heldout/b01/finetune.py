"""Row-transformer on 8x8 digits, after the usual "Trainer from scratch" tutorial."""
import math
import random
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    lr: float = 1.5e-3
    weight_decay: float = 0.01
    epochs: int = 12
    batch_size: int = 32
    grad_accum: int = 1
    warmup_ratio: float = 0.1
    dim: int = 48
    layers: int = 2
    heads: int = 4
    seed: int = 17


class RowTransformer(nn.Module):
    def __init__(self, cfg, n_rows=8, row_dim=8, n_classes=10):
        super().__init__()
        self.embed = nn.Linear(row_dim, cfg.dim)
        self.pos = nn.Parameter(torch.randn(1, n_rows + 1, cfg.dim) * 0.02)
        self.cls = nn.Parameter(torch.zeros(1, 1, cfg.dim))
        layer = nn.TransformerEncoderLayer(cfg.dim, cfg.heads, cfg.dim * 2, dropout=0.1,
                                           batch_first=True, norm_first=True, activation="gelu")
        self.encoder = nn.TransformerEncoder(layer, cfg.layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(cfg.dim)
        self.head = nn.Linear(cfg.dim, n_classes)

    def forward(self, x):
        h = self.embed(x)
        h = torch.cat([self.cls.expand(len(x), -1, -1), h], 1) + self.pos
        return self.head(self.norm(self.encoder(h)[:, 0]))


def linear_schedule_with_warmup(optimizer, warmup_steps, total_steps):
    def fn(step):
        if step < warmup_steps:
            return (step + 1) / max(1, warmup_steps)
        return max(0.0, (total_steps - step) / max(1, total_steps - warmup_steps))
    return LambdaLR(optimizer, fn)


class Trainer:
    def __init__(self, cfg, model, train_ds, eval_ds):
        self.cfg, self.model = cfg, model
        self.train_loader = DataLoader(train_ds, batch_size=cfg.batch_size, shuffle=True)
        self.eval_loader = DataLoader(eval_ds, batch_size=256)
        self.create_optimizer_and_scheduler()

    def create_optimizer_and_scheduler(self):
        decay = [p for p in self.model.parameters() if p.ndim > 1]
        rest = [p for p in self.model.parameters() if p.ndim <= 1]
        self.optimizer = torch.optim.AdamW([
            {"params": decay, "weight_decay": self.cfg.weight_decay},
            {"params": rest, "weight_decay": 0.0}], lr=self.cfg.lr)
        num_steps = math.ceil(len(self.train_loader) / self.cfg.grad_accum)
        self.scheduler = linear_schedule_with_warmup(
            self.optimizer, int(self.cfg.warmup_ratio * num_steps), num_steps)

    def train(self):
        step = 0
        for epoch in range(self.cfg.epochs):
            self.model.train()
            running = 0.0
            for i, (x, y) in enumerate(self.train_loader):
                loss = F.cross_entropy(self.model(x), y)
                (loss / self.cfg.grad_accum).backward()
                running += loss.item()
                if (i + 1) % self.cfg.grad_accum == 0 or i + 1 == len(self.train_loader):
                    nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                    self.optimizer.step()
                    self.scheduler.step()
                    self.optimizer.zero_grad()
                    step += 1
            metrics = self.evaluate()
            print({"epoch": epoch + 1, "step": step, "loss": round(running / len(self.train_loader), 4), **metrics})

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        loss = correct = n = 0
        for x, y in self.eval_loader:
            out = self.model(x)
            loss += F.cross_entropy(out, y, reduction="sum").item()
            correct += (out.argmax(1) == y).sum().item()
            n += len(y)
        return {"eval_loss": round(loss / n, 4), "eval_acc": round(correct / n, 4)}


def main():
    cfg = Config()
    random.seed(cfg.seed); np.random.seed(cfg.seed); torch.manual_seed(cfg.seed)
    d = load_digits()
    x = (d.images / 16.0).astype("float32")
    xtr, xte, ytr, yte = train_test_split(x, d.target, test_size=0.25, stratify=d.target, random_state=cfg.seed)
    mu, sd = xtr.mean(), xtr.std()
    mk = lambda a, b: TensorDataset(torch.from_numpy((a - mu) / sd), torch.as_tensor(b))
    Trainer(cfg, RowTransformer(cfg), mk(xtr, ytr), mk(xte, yte)).train()


if __name__ == "__main__":
    main()

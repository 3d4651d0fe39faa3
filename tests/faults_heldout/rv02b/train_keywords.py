import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

ROOT = Path(__file__).resolve().parent


@dataclass
class Config:
    batch: int = 32
    epochs: int = 30
    lr: float = 2e-3
    weight_decay: float = 1e-2
    dropout: float = 0.3
    val_share: float = 0.25
    seed: int = 2024


def read_corpus():
    """MFCC blocks (frames x coefficients) and the keyword spoken in every clip."""
    with np.load(ROOT / "corpus" / "mfcc.npz") as archive:
        blocks = archive["mfcc"].astype(np.float32) * archive["step"]
    with open(ROOT / "corpus" / "labels.csv", newline="") as fh:
        words = [row["keyword"] for row in csv.DictReader(fh)]
    assert len(words) == len(blocks)
    names = sorted(set(words))
    target = np.array([names.index(w) for w in words])
    return blocks, target, names


class KeywordNet(nn.Module):
    def __init__(self, n_coef, n_words, dropout):
        super().__init__()
        self.conv1 = nn.Conv1d(n_coef, 32, 3, padding=1)
        self.conv2 = nn.Conv1d(32, 48, 3, padding=1)
        self.norm = nn.GroupNorm(8, 48)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(48 * 4, n_words)

    def forward(self, x):
        x = F.gelu(self.conv1(x.transpose(1, 2)))
        x = F.gelu(self.norm(self.conv2(x)))
        x = F.adaptive_avg_pool1d(x, 4).flatten(1)
        return self.out(self.drop(x))


def run(cfg):
    torch.manual_seed(cfg.seed)
    blocks, target, names = read_corpus()

    order = np.random.default_rng(cfg.seed).permutation(len(target))
    n_val = int(cfg.val_share * len(order))
    val_ids, fit_ids = order[:n_val], order[n_val:]

    mean = blocks[fit_ids].mean((0, 1))
    std = blocks[fit_ids].std((0, 1))
    x = torch.from_numpy((blocks - mean) / std)
    y = torch.from_numpy(target)

    net = KeywordNet(x.shape[2], len(names), cfg.dropout)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    steps = -(-len(fit_ids) // cfg.batch) * cfg.epochs
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=cfg.lr, total_steps=steps)
    fit_ids = torch.from_numpy(fit_ids)

    for epoch in range(cfg.epochs):
        net.train()
        running = 0.0
        for pick in fit_ids[torch.randperm(len(fit_ids))].split(cfg.batch):
            # random gain and a shift of at most one frame
            xb = x[pick] + 0.1 * torch.randn(len(pick), 1, x.shape[2])
            xb = torch.roll(xb, int(torch.randint(-1, 2, ())), dims=1)
            loss = F.cross_entropy(net(xb), y[pick])
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            running += loss.item() * len(pick)

        net.eval()
        with torch.no_grad():
            logits = net(x[val_ids])
            val_loss = F.cross_entropy(logits, y[val_ids]).item()
            acc = (logits.argmax(1) == y[val_ids]).float().mean().item()
        if epoch % 3 == 2:
            print(f"[{epoch + 1:02d}] fit={running / len(fit_ids):.3f} val={val_loss:.3f} val_acc={100 * acc:.1f}%")
    return net, x, val_ids


if __name__ == "__main__":
    net, x, val_ids = run(Config())

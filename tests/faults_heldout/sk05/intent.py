"""Conversion intent from click sessions.

Every session is a fixed window of 14 event ids (0..15); the target is whether it ended in a purchase.
"""
from dataclasses import dataclass
from pathlib import Path
import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    vocab: int = 16
    length: int = 14
    dim: int = 32
    heads: int = 4
    layers: int = 2
    ff: int = 64
    dropout: float = 0.05
    lr: float = 2e-3
    batch_size: int = 64
    epochs: int = 8
    seed: int = 17


class IntentModel(nn.Module):
    def __init__(self, c: Config):
        super().__init__()
        self.tok = nn.Embedding(c.vocab, c.dim)
        self.pos = nn.Parameter(torch.randn(1, c.length, c.dim) * 0.02)
        layer = nn.TransformerEncoderLayer(c.dim, c.heads, dim_feedforward=c.ff, dropout=c.dropout, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, c.layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(c.dim)
        self.out = nn.Linear(c.dim, 1)

    def forward(self, ids):
        h = self.tok(ids) + self.pos
        h = self.enc(h)
        return self.out(self.norm(h).mean(dim=1)).squeeze(-1)


def load(c, device="cpu"):
    z = np.load(Path(__file__).with_name("sessions.npz"))
    ev = torch.from_numpy(z["events"].astype(np.int64))
    y = torch.from_numpy(z["converted"].astype(np.float32))
    order = torch.randperm(len(y), generator=torch.Generator().manual_seed(c.seed))
    tr, te = order[:3200], order[3200:]
    mk = lambda i, sh: DataLoader(TensorDataset(ev[i], y[i]), batch_size=c.batch_size, shuffle=sh)
    return mk(tr, True), mk(te, False)


def evaluate(model, loader):
    model.eval()
    n = correct = 0
    loss = 0.0
    with torch.no_grad():
        for ids, y in loader:
            z = model(ids)
            loss += nn.functional.binary_cross_entropy_with_logits(z, y, reduction="sum").item()
            correct += ((z > 0).float() == y).sum().item()
            n += len(y)
    return loss / n, correct / n


def main():
    ap = argparse.ArgumentParser()
    for k, v in Config().__dict__.items():
        ap.add_argument(f"--{k}", type=type(v), default=v)
    c = Config(**vars(ap.parse_args()))
    torch.manual_seed(c.seed)
    train, test = load(c)
    model = IntentModel(c)
    opt = torch.optim.AdamW(model.parameters(), lr=c.lr, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, c.lr, total_steps=c.epochs * len(train), pct_start=0.15)
    for ep in range(c.epochs):
        model.train()
        tot = 0.0
        for ids, y in train:
            loss = nn.functional.binary_cross_entropy_with_logits(model(ids), y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            tot += loss.item()
        tl, ta = evaluate(model, test)
        print(f"epoch {ep:02d} train {tot / len(train):.4f} test {tl:.4f} acc {ta:.3f}")


if __name__ == "__main__":
    main()

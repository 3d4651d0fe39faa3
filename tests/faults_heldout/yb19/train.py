"""Bearing-condition classification from vibration snippets with a gated temporal CNN."""
import argparse
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

CONDITIONS = ("healthy", "inner race", "outer race", "ball")


class GatedConv(nn.Module):
    """Dilated convolution with a tanh/sigmoid gate, as in WaveNet."""

    def __init__(self, channels, dilation):
        super().__init__()
        self.filter = nn.Conv1d(channels, channels, 3, padding=dilation, dilation=dilation)
        self.gate = nn.Conv1d(channels, channels, 3, padding=dilation, dilation=dilation)

    def forward(self, x):
        return torch.tanh(self.filter(x)) * torch.sigmoid(self.gate(x))


class GatedTCN(nn.Module):
    def __init__(self, channels, dilations, n_classes):
        super().__init__()
        self.stem = nn.Conv1d(1, channels, 5, padding=2)
        self.layers = nn.ModuleList([GatedConv(channels, d) for d in dilations])
        self.mix = nn.Conv1d(channels, channels, 1)
        self.head = nn.Linear(channels, n_classes)

    def forward(self, x):
        h = self.stem(x)
        for layer in self.layers:
            h = layer(h)
        h = F.relu(self.mix(h))
        return self.head(h.mean(-1) + h.amax(-1))


def snippet(rng, kind, length):
    t = np.arange(length)
    x = 0.5 * np.sin(2 * np.pi * t / rng.uniform(38, 42) + rng.uniform(0, 6.3))
    period = {1: 23, 2: 34, 3: 29}.get(kind)
    if period is not None:
        ring = np.exp(-np.arange(14) / 4) * np.sin(np.arange(14) * {1: 2.0, 2: 1.3, 3: 1.6}[kind])
        pos = rng.integers(0, period)
        while pos < length:
            amp = rng.uniform(0.9, 1.5)
            if kind == 1:
                amp *= 0.6 + 0.4 * np.sin(2 * np.pi * pos / 40)
            end = min(length, pos + 14)
            x[pos:end] += amp * ring[: end - pos]
            pos += period + rng.integers(-1, 2)
    return x + rng.normal(0, 0.2, length)


def build(n, length, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, len(CONDITIONS), n)
    x = np.stack([snippet(rng, k, length) for k in y])
    x = (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)
    return TensorDataset(torch.tensor(x, dtype=torch.float32).unsqueeze(1), torch.tensor(y))


class Experiment:
    def __init__(self, args):
        self.args = args
        torch.manual_seed(args.seed)
        self.train_dl = DataLoader(build(args.n_train, args.length, args.seed), args.batch_size, shuffle=True)
        self.val_dl = DataLoader(build(args.n_val, args.length, args.seed + 1), 200)
        dilations = [2 ** (i % 5) for i in range(args.layers)]
        self.model = GatedTCN(args.channels, dilations, len(CONDITIONS))
        self.opt = torch.optim.Adam(self.model.parameters(), lr=args.lr)

    def fit(self):
        for epoch in range(1, self.args.epochs + 1):
            self.model.train()
            total, count = 0.0, 0
            for x, y in self.train_dl:
                loss = F.cross_entropy(self.model(x), y)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                total += loss.item() * len(y)
                count += len(y)
            val_loss, val_acc = self.validate()
            print(f"epoch {epoch:2d}  train {total / count:.4f}  val {val_loss:.4f}  acc {val_acc:.3f}")

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        loss, hits, n = 0.0, 0, 0
        for x, y in self.val_dl:
            out = self.model(x)
            loss += F.cross_entropy(out, y, reduction="sum").item()
            hits += (out.argmax(1) == y).sum().item()
            n += len(y)
        return loss / n, hits / n

    def save(self, path):
        torch.save({"model": self.model.state_dict(), "args": vars(self.args)}, path)


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--layers", type=int, default=12)
    p.add_argument("--channels", type=int, default=20)
    p.add_argument("--length", type=int, default=160)
    p.add_argument("--n-train", type=int, default=900)
    p.add_argument("--n-val", type=int, default=400)
    p.add_argument("--batch-size", type=int, default=30)
    p.add_argument("--epochs", type=int, default=8)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--seed", type=int, default=90)
    p.add_argument("--out", type=Path, default=None)
    args = p.parse_args()
    exp = Experiment(args)
    exp.fit()
    if args.out:
        exp.save(args.out)

"""Mineral identification from simulated Raman spectra with a residual MLP."""
import argparse
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

BINS, MINERALS = 128, 12


def simulate(n, rng):
    grid = np.arange(BINS)
    library = np.random.default_rng(2024)
    peaks = library.uniform(8, 120, size=(MINERALS, 4))
    heights = library.uniform(0.4, 1.0, size=(MINERALS, 4))
    y = rng.integers(MINERALS, size=n)
    spectra = np.zeros((n, BINS))
    for k in range(n):
        centre = peaks[y[k]] + rng.normal(0, 2.0, 4)
        height = heights[y[k]] * rng.uniform(0.5, 1.5, 4)
        spectra[k] = (height[:, None] * np.exp(-0.5 * ((grid - centre[:, None]) / 3.0) ** 2)).sum(0)
        spectra[k] += rng.uniform(0, 0.6) * np.exp(-grid / rng.uniform(30, 90))
    spectra += rng.normal(0, 0.25, spectra.shape)
    return spectra.astype(np.float32), y


class ResidualBlock(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.up = nn.Linear(dim, 2 * dim)
        self.down = nn.Linear(2 * dim, dim)

    def forward(self, x):
        return x + self.down(F.gelu(self.up(self.norm(x))))


class SpectrumNet(nn.Module):
    def __init__(self, dim=96, depth=2):
        super().__init__()
        self.inp = nn.Linear(BINS, dim)
        self.blocks = nn.Sequential(*[ResidualBlock(dim) for _ in range(depth)])
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, MINERALS)

    def forward(self, x):
        return self.head(self.norm(self.blocks(self.inp(x))))


@torch.no_grad()
def evaluate(model, x, y):
    model.eval()
    out = model(x).float()
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--spectra", type=int, default=2400)
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=3e-5)
    ap.add_argument("--weight-decay", type=float, default=0.01)
    ap.add_argument("--dtype", choices=["float32", "bfloat16"], default="bfloat16")
    args = ap.parse_args()

    torch.manual_seed(10)
    dtype = getattr(torch, args.dtype)
    x, y = simulate(args.spectra, np.random.default_rng(10))
    n_val = args.spectra // 5
    mean, std = x[n_val:].mean(0), x[n_val:].std(0)
    x = torch.from_numpy((x - mean) / std).to(dtype)
    y = torch.from_numpy(y)
    xv, yv, xt, yt = x[:n_val], y[:n_val], x[n_val:], y[n_val:]

    model = SpectrumNet().to(dtype)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)

    for epoch in range(args.epochs):
        model.train()
        start, total = time.time(), 0.0
        order = torch.randperm(len(xt))
        for i in range(0, len(order), args.batch):
            b = order[i : i + args.batch]
            loss = F.cross_entropy(model(xt[b]).float(), yt[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(b)
        vl, va = evaluate(model, xv, yv)
        print(f"epoch {epoch:2d} loss {total / len(xt):.4f} val_loss {vl:.4f} val_acc {va:.3f} ({time.time() - start:.1f}s)")


if __name__ == "__main__":
    main()

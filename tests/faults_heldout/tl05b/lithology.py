"""Lithology from wireline logs.

The network is a bag of tensors, the training rule a pure function of (tensors, moments).
"""
import argparse
import math

import numpy as np
import torch

CURVES = ["DEPT", "GR", "RHOB", "NPHI", "DT", "RT", "PEF", "CALI"]
ROCKS = ["sandstone", "shale", "limestone", "dolomite", "siltstone", "tuff"]


# ------------------------------------------------------------------ data
class Well:
    """Memory-mapped curves; intervals of 60 samples go to one side or the other."""

    def __init__(self, folder):
        self.curves = np.load(f"{folder}/logs.npy", mmap_mode="r")
        self.rock = np.load(f"{folder}/litho.npy", mmap_mode="r")
        interval = np.arange(len(self.rock)) // 60
        held = np.random.default_rng(8).permutation(interval.max() + 1)[: (interval.max() + 1) // 4]
        self.test = np.flatnonzero(np.isin(interval, held))
        self.train = np.flatnonzero(~np.isin(interval, held))
        x = self._raw(self.train)
        self.centre, self.spread = x.mean(0), x.std(0)

    def _raw(self, rows):
        x = np.array(self.curves[rows])
        x[:, 5] = np.log10(x[:, 5])
        return x

    def take(self, rows):
        x = (self._raw(rows) - self.centre) / self.spread
        return torch.from_numpy(x), torch.from_numpy(self.rock[rows].astype(np.int64))

    def batches(self, size, rng):
        rows = rng.permutation(self.train)
        for i in range(0, len(rows), size):
            yield self.take(rows[i:i + size])


# ----------------------------------------------------------------- model
def fresh(widths, gen):
    tensors = {}
    for i, (a, b) in enumerate(zip(widths, widths[1:])):
        gain = 2.0 if i < len(widths) - 2 else 1.0
        tensors[f"w{i}"] = torch.randn(a, b, generator=gen) * math.sqrt(gain / a)
        tensors[f"b{i}"] = torch.zeros(b)
    return {k: t.requires_grad_() for k, t in tensors.items()}


def drop(h, p, gen):
    keep = (torch.rand(h.shape, generator=gen) >= p).to(h.dtype)
    return h * keep / (1 - p)


def logits(tensors, x, p=0.0, gen=None):
    last = len(tensors) // 2 - 1
    for i in range(last + 1):
        x = x @ tensors[f"w{i}"] + tensors[f"b{i}"]
        if i < last:
            x = torch.relu(x)
            if p:
                x = drop(x, p, gen)
    return x


def nll(z, y):
    return (torch.logsumexp(z, 1) - z.gather(1, y[:, None])[:, 0]).mean()


# ------------------------------------------------------------------ rule
def adam(tensors, grads, state, lr, decay, b1=0.9, b2=0.999, eps=1e-8):
    """one update; returns new tensors and new state"""
    n, m, v = state
    n += 1
    new, m2, v2 = {}, {}, {}
    for (k, t), g in zip(tensors.items(), grads):
        m2[k] = b1 * m[k] + (1 - b1) * g
        v2[k] = b2 * v[k] + (1 - b2) * g * g
        step = (m2[k] / (1 - b1 ** n)) / ((v2[k] / (1 - b2 ** n)).sqrt() + eps)
        shrink = decay if t.dim() == 2 else 0.0
        new[k] = (t.detach() * (1 - lr * shrink) - lr * step).requires_grad_()
    return new, (n, m2, v2)


# --------------------------------------------------------------- metrics
def scores(z, y):
    guess = z.argmax(1)
    f1 = []
    for c in range(len(ROCKS)):
        tp = ((guess == c) & (y == c)).sum().item()
        f1.append(2 * tp / max(1, (guess == c).sum().item() + (y == c).sum().item()))
    return (guess == y).float().mean().item(), f1


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--well", default="well")
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--decay", type=float, default=0.01)
    ap.add_argument("--dropout", type=float, default=0.1)
    ap.add_argument("--seed", type=int, default=0)
    a = ap.parse_args()

    gen = torch.Generator().manual_seed(a.seed)
    rng = np.random.default_rng(a.seed)
    well = Well(a.well)
    x_test, y_test = well.take(well.test)
    tensors = fresh([len(CURVES), 64, 64, len(ROCKS)], gen)
    zeros = {k: torch.zeros_like(t) for k, t in tensors.items()}
    state = (0, zeros, zeros)

    for epoch in range(1, a.epochs + 1):
        lr = a.lr * 0.5 * (1 + math.cos(math.pi * (epoch - 1) / a.epochs))
        total = 0.0
        for x, y in well.batches(a.batch, rng):
            loss = nll(logits(tensors, x, a.dropout, gen), y)
            grads = torch.autograd.grad(loss, list(tensors.values()))
            tensors, state = adam(tensors, grads, state, lr, a.decay)
            total += loss.item() * len(y)
        with torch.no_grad():
            z = logits(tensors, x_test)
        acc, f1 = scores(z, y_test)
        print(f"epoch {epoch:2d}  lr {lr:.1e}  train {total / len(well.train):.3f}  "
              f"test {nll(z, y_test).item():.3f}  acc {acc:.3f}")
    for rock, f in zip(ROCKS, f1):
        print(f"  {rock:10s} F1 {f:.2f}")


if __name__ == "__main__":
    main()

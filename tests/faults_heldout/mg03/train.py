"""Handwritten digits with a wide network in NTK parametrisation.

All weights are drawn from N(0, 1); the 1/sqrt(fan_in) factor sits in the forward pass,
so the step size is of order one and does not depend on the width.
"""
import argparse
import math

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


def init(widths, g):
    return [(torch.randn(o, i, generator=g), torch.zeros(o)) for i, o in zip(widths[:-1], widths[1:])]


def forward(params, x, beta=0.1):
    for k, (w, b) in enumerate(params):
        x = x @ w.t() / math.sqrt(w.shape[1]) + beta * b
        if k < len(params) - 1:
            x = math.sqrt(2.0) * torch.relu(x)
    return x


def evaluate(params, x, y):
    with torch.no_grad():
        out = forward(params, x)
        return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--width", type=int, default=384)
    ap.add_argument("--lr", type=float, default=8.0)
    ap.add_argument("--steps", type=int, default=1200)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--l2", type=float, default=2e-5)
    args = ap.parse_args()

    X, Y = load_digits(return_X_y=True)
    xa, xb, ya, yb = train_test_split(X, Y, test_size=0.3, stratify=Y, random_state=3)
    mu, sd = xa.mean(), xa.std()
    xa, xb = (torch.tensor((v - mu) / sd, dtype=torch.float32) for v in (xa, xb))
    ya, yb = torch.tensor(ya), torch.tensor(yb)

    g = torch.Generator().manual_seed(7)
    params = init([64, args.width, args.width, 10], g)
    flat = [t for pair in params for t in pair]
    for t in flat:
        t.requires_grad_(True)

    for step in range(args.steps):
        idx = torch.randint(len(xa), (args.batch,), generator=g)
        loss = F.cross_entropy(forward(params, xa[idx]), ya[idx])
        grads = torch.autograd.grad(loss, flat)
        lr = args.lr * 0.5 * (1 + math.cos(math.pi * step / args.steps))
        with torch.no_grad():
            for p, gr in zip(flat, grads):
                p -= lr * (gr + args.l2 * p)
        if step % 100 == 0 or step == args.steps - 1:
            vl, va = evaluate(params, xb, yb)
            print(f"step {step:4d} lr {lr:.2f} loss {loss.item():.4f} held-out loss {vl:.4f} acc {va:.4f}")


if __name__ == "__main__":
    main()

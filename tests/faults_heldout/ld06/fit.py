"""Digits classifier with a pull towards the slowly moving average of its own weights."""
import argparse
import time

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=600)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--lr", type=float, default=0.05)
    p.add_argument("--anchor-decay", type=float, default=0.99)
    p.add_argument("--anchor-weight", type=float, default=0.01)
    p.add_argument("--report", type=int, default=60)
    return p.parse_args()


class SlowAnchor:
    """Exponential average of the parameters; `penalty` is the squared distance to it."""

    def __init__(self, model, decay):
        self.model = model
        self.decay = decay
        self.mean = [p.detach().clone() for p in model.parameters()]

    def update(self):
        w = 1.0 - self.decay
        self.mean = [m.lerp(p, w) for m, p in zip(self.mean, self.model.parameters())]

    def penalty(self):
        return sum((p - m).pow(2).sum() for p, m in zip(self.model.parameters(), self.mean))


def main():
    args = parse()
    torch.manual_seed(7)
    x, y = load_digits(return_X_y=True)
    xtr, xte, ytr, yte = train_test_split(x / 16.0, y, test_size=0.3, stratify=y, random_state=7)
    xtr, xte = (torch.tensor(a, dtype=torch.float32) - 0.3 for a in (xtr, xte))
    ytr, yte = torch.tensor(ytr), torch.tensor(yte)

    net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    opt = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9)
    ce = nn.CrossEntropyLoss()
    anchor = SlowAnchor(net, args.anchor_decay)

    tick = time.perf_counter()
    for step in range(1, args.steps + 1):
        net.train()
        idx = torch.randint(len(xtr), (args.batch,))
        loss = ce(net(xtr[idx]), ytr[idx]) + args.anchor_weight * anchor.penalty()
        opt.zero_grad()
        loss.backward()
        opt.step()
        anchor.update()
        if step % args.report == 0:
            net.eval()
            with torch.no_grad():
                acc = (net(xte).argmax(1) == yte).float().mean().item()
            now = time.perf_counter()
            print(f"step {step:5d} loss {loss.item():.4f} acc {acc:.4f} "
                  f"{1e3 * (now - tick) / args.report:.2f} ms/step")
            tick = now


if __name__ == "__main__":
    main()

"""Automatic gating of flow-cytometry events: assign each cell to one of six populations.

usage: gate_cells.py [--act relu] [--depth 8] [--width 64] [--epochs 8] [--seed 0]
"""
import argparse

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

POPULATIONS = ["CD4 T", "CD8 T", "B", "NK", "monocyte", "granulocyte"]
#              FSC  SSC  CD3  CD4  CD8  CD19 CD56 CD14 CD16 CD45
MEANS = np.array([
    [2.6, 1.4, 3.9, 3.8, 0.9, 0.7, 0.9, 0.6, 0.7, 4.2],
    [2.6, 1.4, 3.9, 0.8, 3.9, 0.7, 1.3, 0.6, 0.9, 4.2],
    [2.5, 1.3, 0.8, 0.8, 0.8, 3.6, 0.8, 0.7, 0.8, 4.0],
    [2.7, 1.6, 0.9, 0.8, 1.9, 0.7, 3.2, 0.6, 2.9, 4.1],
    [3.4, 2.5, 0.9, 2.0, 0.8, 0.8, 0.9, 3.7, 1.6, 3.8],
    [3.5, 3.8, 0.9, 0.9, 0.9, 0.8, 0.9, 1.5, 3.3, 3.1],
])
SHARE = [0.24, 0.18, 0.15, 0.13, 0.14, 0.16]


def acquire(n, rng):
    """Simulated events after compensation: staining spread, size effect and spill-over."""
    y = rng.choice(len(SHARE), size=n, p=SHARE)
    size = rng.normal(0, 0.35, (n, 1))
    x = MEANS[y] + size * np.linspace(1.0, 0.5, 10) + rng.normal(0, 0.9, (n, 10))
    spill = np.eye(10) + 0.25 * np.eye(10, k=1) + 0.12 * np.eye(10, k=-2)
    x = np.sinh(x @ spill / 2.0)
    return x, y


def make_data(rng):
    x, y = acquire(14000, rng)
    x = np.arcsinh(x)
    mean, std = x[:12000].mean(0), x[:12000].std(0)
    x = torch.tensor((x - mean) / std, dtype=torch.float32)
    y = torch.tensor(y)
    return x[:12000], y[:12000], x[12000:], y[12000:]


class GateNet(nn.Module):
    ACTS = {"relu": nn.ReLU, "tanh": nn.Tanh, "sigmoid": nn.Sigmoid}

    def __init__(self, n_in, n_out, width, depth, act):
        super().__init__()
        layers = []
        for i in range(depth):
            layers += [nn.Linear(n_in if i == 0 else width, width), self.ACTS[act]()]
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(width, n_out)
        gain = nn.init.calculate_gain(act)
        for m in self.body:
            if isinstance(m, nn.Linear):
                nn.init.xavier_uniform_(m.weight, gain=gain)
                nn.init.zeros_(m.bias)

    def forward(self, x):
        return self.head(self.body(x))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--act", choices=sorted(GateNet.ACTS), default="relu")
    p.add_argument("--depth", type=int, default=8)
    p.add_argument("--width", type=int, default=64)
    p.add_argument("--epochs", type=int, default=8)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--lr", type=float, default=0.01)
    p.add_argument("--seed", type=int, default=0)
    a = p.parse_args()

    torch.manual_seed(a.seed)
    xtr, ytr, xva, yva = make_data(np.random.default_rng(a.seed))
    net = GateNet(xtr.shape[1], len(POPULATIONS), a.width, a.depth, a.act)
    opt = torch.optim.SGD(net.parameters(), lr=a.lr, momentum=0.9, weight_decay=5e-4)
    steps = a.epochs * (len(xtr) // a.batch)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)

    for epoch in range(1, a.epochs + 1):
        net.train()
        order = torch.randperm(len(xtr))
        total = 0.0
        for k in range(len(xtr) // a.batch):
            idx = order[k * a.batch:(k + 1) * a.batch]
            loss = F.cross_entropy(net(xtr[idx]), ytr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item()
        net.eval()
        with torch.no_grad():
            out = net(xva)
            vloss = F.cross_entropy(out, yva).item()
            acc = (out.argmax(1) == yva).float().mean().item()
        print(f"epoch {epoch:2d}  loss {total / (k + 1):.4f}  val {vloss:.4f}  val acc {acc:.4f}")

    print("per population recall:")
    for c, name in enumerate(POPULATIONS):
        sel = yva == c
        print(f"  {name:12s} {(out.argmax(1)[sel] == c).float().mean().item():.3f}")


if __name__ == "__main__":
    main()

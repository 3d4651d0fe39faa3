#!/usr/bin/env python
"""Gesture classifier for the wristband (1 kB of flash for weights)."""
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


@dataclass
class Options:
    file: str = "gestures.npz"
    filters: int = 5
    batch: int = 32
    epochs: int = 22
    lr: float = 1e-2
    seed: int = 8
    names: list = field(default_factory=lambda: ["circle", "shake", "nod", "rest"])


class TinyNet(nn.Module):
    def __init__(self, filters, classes):
        super().__init__()
        self.conv = nn.Conv1d(3, filters, 7, stride=3)
        self.mix = nn.Conv1d(filters, filters, 3)
        self.head = nn.Linear(filters * 5, classes)

    def forward(self, x):
        h = torch.relu(self.mix(torch.relu(self.conv(x))))
        return self.head(nn.functional.avg_pool1d(h, 2).flatten(1))


def main(o=Options()):
    torch.manual_seed(o.seed)
    z = np.load(o.file)
    x = torch.tensor(z["acc"], dtype=torch.float32) / 40.0
    y = torch.tensor(z["gesture"], dtype=torch.long)
    train, test = random_split(TensorDataset(x, y), [1100, 400])
    loader = DataLoader(train, o.batch, shuffle=True)
    tx, ty = test[:]
    net = TinyNet(o.filters, len(o.names))
    print("weights:", sum(p.numel() for p in net.parameters()))
    opt = torch.optim.Adam(net.parameters(), lr=o.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, o.epochs)
    for epoch in range(o.epochs):
        net.train()
        total = 0.0
        for bx, by in loader:
            loss = nn.functional.cross_entropy(net(bx), by)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(by)
        sched.step()
        net.eval()
        with torch.no_grad():
            out = net(tx)
            tl = nn.functional.cross_entropy(out, ty).item()
            acc = (out.argmax(1) == ty).float().mean().item()
        print(f"{epoch + 1:3d} train {total / len(train):.4f} test {tl:.4f} acc {acc:.3f}")


if __name__ == "__main__":
    main()

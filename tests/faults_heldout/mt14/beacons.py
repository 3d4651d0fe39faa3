"""Modulation type of radio beacons: 1-D ConvNet with heavy augmentation."""
import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

TYPES = ["tone", "two-tone", "chirp", "am", "burst"]
LEN = 128


def emit(kind, g):
    t = np.arange(LEN)
    f = g.uniform(0.08, 0.2)
    ph = g.uniform(0, 2 * np.pi)
    if kind == 0:
        s = np.sin(2 * np.pi * f * t + ph)
    elif kind == 1:
        s = 0.7 * np.sin(2 * np.pi * f * t + ph) + 0.7 * np.sin(2 * np.pi * (f + 0.18) * t)
    elif kind == 2:
        s = np.sin(2 * np.pi * (0.04 * t + 0.5 * 0.28 / LEN * t ** 2) + ph)
    elif kind == 3:
        s = (1 + 0.9 * np.sin(2 * np.pi * t * 0.03 + g.uniform(0, 6))) * np.sin(2 * np.pi * f * t + ph) * 0.75
    else:
        gate = ((t // 8 + g.integers(0, 4)) % 4 == 0)
        s = 1.9 * gate * np.sin(2 * np.pi * f * t + ph)
    return s + g.normal(0, 0.5, LEN)


class Beacons(Dataset):
    def __init__(self, n, g, augment):
        self.y = g.integers(0, len(TYPES), n)
        self.x = np.stack([emit(k, g) for k in self.y]).astype(np.float32)
        self.augment = augment
        self.g = g

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        x = self.x[i]
        if self.augment:
            g = self.g
            x = np.roll(x, g.integers(0, LEN))
            x = x * g.choice([-1.0, 1.0]) * g.uniform(0.4, 1.6)
            if g.random() < 0.5:
                x = x[::-1]
            x = x + g.normal(0, g.uniform(0, 0.7), LEN)
            start, width = g.integers(0, LEN), g.integers(8, 48)
            x = np.where((np.arange(LEN) - start) % LEN < width, 0.0, x)
        return torch.tensor(np.ascontiguousarray(x), dtype=torch.float32)[None], int(self.y[i])


def conv(i, o, k, s):
    return nn.Sequential(nn.Conv1d(i, o, k, stride=s, padding=k // 2, padding_mode="circular", bias=False),
                         nn.BatchNorm1d(o), nn.ReLU(inplace=True))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=14)
    ap.add_argument("--seed", type=int, default=12)
    opt = ap.parse_args()
    torch.manual_seed(opt.seed)
    g = np.random.default_rng(opt.seed)
    train = DataLoader(Beacons(1500, g, True), batch_size=50, shuffle=True)
    test = DataLoader(Beacons(800, g, False), batch_size=400)
    net = nn.Sequential(conv(1, 24, 9, 1), conv(24, 48, 7, 2), conv(48, 64, 7, 2), conv(64, 64, 5, 2),
                        nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(64, len(TYPES)))
    optim = torch.optim.AdamW(net.parameters(), lr=4e-3, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(optim, opt.epochs)
    ce = nn.CrossEntropyLoss()
    for epoch in range(opt.epochs):
        net.train()
        loss_sum = hit = n = 0
        for x, y in train:
            out = net(x)
            loss = ce(out, y)
            optim.zero_grad()
            loss.backward()
            optim.step()
            loss_sum += loss.item() * len(y)
            hit += (out.argmax(1) == y).sum().item()
            n += len(y)
        sched.step()
        net.eval()
        with torch.no_grad():
            good = sum((net(x).argmax(1) == y).sum().item() for x, y in test)
        print(f"epoch {epoch + 1:2d} train loss {loss_sum / n:.3f} acc {hit / n:.3f} | test acc {good / 800:.3f}")


if __name__ == "__main__":
    main()

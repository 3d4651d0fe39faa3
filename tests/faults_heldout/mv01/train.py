"""Digit reader for scanned forms. The scanner delivers bytes, the archive delivers floats."""
import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

HERE = Path(__file__).parent


class Scans(Dataset):
    """uint8 scans, random placement and contrast as on the forms"""

    def __init__(self, path, seed):
        z = np.load(path)
        self.x, self.y = z["image"], z["digit"]
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        im = self.x[i].astype(np.float32) / 255.0
        dx, dy = self.rng.integers(-1, 2, 2)
        big = np.pad(im, 2)
        im = big[2 + dy:10 + dy, 2 + dx:10 + dx]
        im = im * self.rng.uniform(0.7, 1.1) + self.rng.normal(0, 0.08, im.shape)
        return torch.from_numpy(np.pad(im, 1).astype(np.float32))[None], int(self.y[i])


class Archive(Dataset):
    """already centred and scaled to 0..1 by the archive"""

    def __init__(self, path):
        z = np.load(path)
        self.x, self.y = z["image"], z["digit"]

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return torch.from_numpy(np.pad(self.x[i].astype(np.float32), 1))[None], int(self.y[i])


def build():
    return nn.Sequential(
        nn.Conv2d(1, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(),
        nn.Conv2d(24, 48, 3, padding=1), nn.BatchNorm2d(48), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(48, 64, 3), nn.ReLU(), nn.Flatten(), nn.Linear(64 * 9, 10))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--seed", type=int, default=11)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    tr = DataLoader(Scans(HERE / "scans.npz", a.seed), batch_size=48, shuffle=True)
    va = DataLoader(Archive(HERE / "archive.npz"), batch_size=200)
    net = build()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs * len(tr))
    for ep in range(a.epochs):
        net.train()
        tot = hit = n = 0
        for x, y in tr:
            out = net(x)
            loss = F.cross_entropy(out, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            tot += loss.item() * len(y)
            hit += (out.argmax(1) == y).sum().item()
            n += len(y)
        net.eval()
        vt = vh = vn = 0
        with torch.no_grad():
            for x, y in va:
                out = net(x)
                vt += F.cross_entropy(out, y, reduction="sum").item()
                vh += (out.argmax(1) == y).sum().item()
                vn += len(y)
        print(f"epoch {ep:2d}  train {tot / n:.4f} / {hit / n:.3f}   archive {vt / vn:.4f} / {vh / vn:.3f}")


if __name__ == "__main__":
    main()

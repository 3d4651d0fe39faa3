import argparse
import time

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--micro", type=int, default=8)
    ap.add_argument("--accum", type=int, default=4)
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--lr", type=float, default=3e-3)
    return ap.parse_args()


class ToneClips(Dataset):
    """Short noisy waveforms; the class is the shape of the carrier."""

    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        t = np.arange(128) / 128
        xs, ys = [], []
        for _ in range(n):
            k = rng.integers(4)
            f, ph = rng.uniform(4, 9), rng.uniform(0, 1)
            u = (f * t + ph) % 1
            w = [np.sin(2 * np.pi * u), np.sign(u - .5), 2 * u - 1, 4 * abs(u - .5) - 1][k]
            xs.append(w * rng.uniform(.7, 1.3) + rng.normal(0, .2, 128))
            ys.append(k)
        self.x = torch.tensor(np.array(xs), dtype=torch.float32).unsqueeze(1)
        self.y = torch.tensor(ys)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def build():
    return nn.Sequential(
        nn.Conv1d(1, 16, 7, stride=2, padding=3), nn.GroupNorm(4, 16), nn.ReLU(),
        nn.Conv1d(16, 32, 5, stride=2, padding=2), nn.GroupNorm(4, 32), nn.ReLU(),
        nn.AdaptiveAvgPool1d(4), nn.Flatten(), nn.Linear(128, 4))


def validate(net, dl, crit):
    net.eval()
    tot = hit = n = 0
    with torch.no_grad():
        for x, y in dl:
            z = net(x)
            tot += crit(z, y).item() * len(y)
            hit += (z.argmax(1) == y).sum().item()
            n += len(y)
    return tot / n, hit / n


def main():
    a = parse()
    torch.manual_seed(4)
    train = DataLoader(ToneClips(1920, 0), batch_size=a.micro, shuffle=True, drop_last=True)
    val = DataLoader(ToneClips(400, 1), batch_size=100)
    net, crit = build(), nn.CrossEntropyLoss()
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=a.epochs)
    t0 = time.time()
    updates = 0
    for epoch in range(a.epochs):
        net.train()
        seen = 0.0
        opt.zero_grad()
        for i, (x, y) in enumerate(train, 1):
            loss = crit(net(x), y) / a.accum
            loss.backward()
            seen += loss.item() * a.accum
            if i % a.accum == 0:
                nn.utils.clip_grad_norm_(net.parameters(), 2.0)
                opt.step()
                opt.zero_grad()
                updates += 1
        sched.step()
        vl, acc = validate(net, val, crit)
        print(f"ep {epoch} upd {updates} train {seen / len(train):.4f} val {vl:.4f} acc {acc:.3f} [{time.time() - t0:.1f}s]")


main()

import argparse
import time

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from textures import TexturePatches


def network(classes=5):
    def unit(i, o):
        return [nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU()]
    return nn.Sequential(
        *unit(1, 12), nn.MaxPool2d(2),
        *unit(12, 24), nn.MaxPool2d(2),
        *unit(24, 24), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        nn.Linear(24, classes),
    )


def accuracy(net, dl):
    net.eval()
    ok = n = 0
    with torch.no_grad():
        for img, kind in dl:
            ok += (net(img).argmax(1) == kind).sum().item()
            n += len(kind)
    net.train()
    return ok / n


def run(opts):
    torch.manual_seed(opts.seed)
    total = len(np.load(opts.archive)["kind"])
    rows = np.random.default_rng(opts.seed).permutation(total)
    k = int(total * 0.85)
    train_dl = DataLoader(TexturePatches(opts.archive, rows[:k], train=True), opts.batch, shuffle=True)
    held_dl = DataLoader(TexturePatches(opts.archive, rows[k:]), 128)

    net = network()
    opt = torch.optim.Adam(net.parameters(), lr=opts.lr)
    crit = nn.CrossEntropyLoss()
    t0 = time.time()
    for ep in range(opts.epochs):
        total_loss = 0.0
        for img, kind in train_dl:
            opt.zero_grad()
            loss = crit(net(img), kind)
            loss.backward()
            opt.step()
            total_loss += loss.item()
        if ep % 2 == 1:
            print(f"epoch {ep + 1:2d} loss {total_loss / len(train_dl):.3f} held-out {accuracy(net, held_dl):.3f}")
    print(f"{time.time() - t0:.1f} s")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--archive", default="patches.npz")
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--batch", type=int, default=48)
    p.add_argument("--lr", type=float, default=4e-3)
    p.add_argument("--seed", type=int, default=2)
    run(p.parse_args())

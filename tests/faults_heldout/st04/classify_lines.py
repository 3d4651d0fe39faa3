#!/usr/bin/env python
"""Assign log lines to a subsystem with hashed character n-grams."""
import argparse
import random
import zlib

import torch
import torch.nn as nn
import torch.nn.functional as F


def grams(line, lo, hi, buckets):
    out = []
    for word in line.split():
        w = f"<{word}>"
        for n in range(lo, hi + 1):
            for i in range(len(w) - n + 1):
                out.append(zlib.crc32(w[i:i + n].encode()) % buckets)
    return out


def pack(bags):
    flat = torch.tensor([g for b in bags for g in b])
    offs = torch.tensor([0] + [len(b) for b in bags[:-1]]).cumsum(0)
    return flat, offs


class Bag(nn.Module):
    def __init__(self, buckets, dim, classes):
        super().__init__()
        self.table = nn.EmbeddingBag(buckets, dim, mode="mean", sparse=True)
        nn.init.uniform_(self.table.weight, -1 / dim, 1 / dim)
        self.out = nn.Linear(dim, classes, bias=False)
        nn.init.zeros_(self.out.weight)

    def forward(self, flat, offs):
        return self.out(self.table(flat, offs))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="syslog.tsv")
    ap.add_argument("--lr", type=float, default=25.0)
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--dim", type=int, default=12)
    ap.add_argument("--buckets", type=int, default=8192)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--seed", type=int, default=0)
    a = ap.parse_args()

    torch.manual_seed(a.seed)
    rng = random.Random(a.seed)
    pairs = [ln.rstrip("\n").split("\t") for ln in open(a.data)]
    names = sorted({k for k, _ in pairs})
    data = [(grams(t, 3, 5, a.buckets), names.index(k)) for k, t in pairs]
    rng.shuffle(data)
    held, train = data[:440], data[440:]

    net = Bag(a.buckets, a.dim, len(names))
    sgd = torch.optim.SGD(net.parameters(), lr=a.lr)
    steps = a.epochs * (-(-len(train) // a.batch))
    decay = torch.optim.lr_scheduler.LambdaLR(sgd, lambda s: max(0.0, 1 - s / steps))
    hx, hy = pack([b for b, _ in held]), torch.tensor([y for _, y in held])

    for ep in range(a.epochs):
        rng.shuffle(train)
        net.train()
        seen = 0.0
        for i in range(0, len(train), a.batch):
            part = train[i:i + a.batch]
            y = torch.tensor([c for _, c in part])
            loss = F.cross_entropy(net(*pack([b for b, _ in part])), y)
            sgd.zero_grad()
            loss.backward()
            sgd.step()
            decay.step()
            seen += loss.item() * len(part)
        net.eval()
        with torch.no_grad():
            z = net(*hx)
            vl = F.cross_entropy(z, hy).item()
            acc = (z.argmax(1) == hy).float().mean().item()
        print(f"ep {ep + 1:2d} lr {sgd.param_groups[0]['lr']:6.2f} loss {seen / len(train):.4f} "
              f"held loss {vl:.4f} held acc {acc:.4f}")


if __name__ == "__main__":
    main()

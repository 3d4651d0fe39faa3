#!/usr/bin/env python
import argparse
import math
from pathlib import Path

import torch
import torch.nn.functional as F

from charlm.corpus import Corpus
from charlm.net import CharGRU

parser = argparse.ArgumentParser()
parser.add_argument("--data", default=str(Path(__file__).parent / "data" / "stories.txt"))
parser.add_argument("--steps", type=int, default=600)
parser.add_argument("--batch", type=int, default=32)
parser.add_argument("--seq", type=int, default=64)
parser.add_argument("--lr", type=float, default=4e-3)
parser.add_argument("--clip", type=float, default=1.0)
parser.add_argument("--seed", type=int, default=1)
opt = parser.parse_args()

torch.manual_seed(opt.seed)
corpus = Corpus(opt.data)
V = len(corpus.chars)
print(f"{len(corpus.train)} train chars, {len(corpus.val)} val chars, vocab {V}")

net = CharGRU(V)
optim = torch.optim.Adam(net.parameters(), lr=opt.lr)
sched = torch.optim.lr_scheduler.LambdaLR(
    optim, lambda s: min(1.0, (s + 1) / 30) * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * s / opt.steps))))


def validate():
    net.eval()
    nll, n = 0.0, 0
    with torch.no_grad():
        for x, y in corpus.val_batches(64, opt.seq):
            logits, _ = net(x)
            nll += F.cross_entropy(logits.reshape(-1, V), y.reshape(-1), reduction="sum").item()
            n += y.numel()
    net.train()
    return nll / n


avg = None
for step in range(opt.steps):
    x, y = corpus.random_batch(opt.batch, opt.seq)
    logits, _ = net(x)
    loss = F.cross_entropy(logits.reshape(-1, V), y.reshape(-1))
    optim.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), opt.clip)
    optim.step()
    sched.step()
    avg = loss.item() if avg is None else 0.95 * avg + 0.05 * loss.item()
    if (step + 1) % 100 == 0:
        v = validate()
        print(f"step {step + 1:5d}  train {avg:.3f}  val {v:.3f}  ({v / math.log(2):.2f} bits/char)")

net.eval()
print(corpus.decode(net.sample(corpus.encode("The "), 200)))

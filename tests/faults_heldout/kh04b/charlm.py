#!/usr/bin/env python
"""Character model of the workshop log (GRU)."""
import argparse
import math
import torch
from torch import nn


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--corpus", default="log.txt")
    p.add_argument("--steps", type=int, default=500)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--context", type=int, default=40)
    p.add_argument("--lr", type=float, default=5e-3)
    p.add_argument("--warmup", type=int, default=50)
    return p.parse_args()


class CharGRU(nn.Module):
    def __init__(self, vocab, dim=32, hidden=64):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, ids):
        h, _ = self.rnn(self.emb(ids))
        return self.out(h)


def windows(ids, n, length):
    starts = torch.randint(0, len(ids) - length - 1, (n,))
    w = torch.stack([ids[s:s + length + 1] for s in starts])
    return w[:, :-1], w[:, 1:]


def lm_loss(model, x, y):
    return nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())


def main():
    args = get_args()
    torch.manual_seed(0)
    text = open(args.corpus).read()
    chars = sorted(set(text))
    ids = torch.tensor([chars.index(c) for c in text])
    cut = int(0.9 * len(ids))
    train, held = ids[:cut], ids[cut:]
    model = CharGRU(len(chars))
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)

    def factor(step):
        if step < args.warmup:
            return (step + 1) / args.warmup
        frac = (step - args.warmup) / max(1, args.steps - args.warmup)
        return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * min(1.0, frac)))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    for step in range(1, args.steps + 1):
        x, y = windows(train, args.batch, args.context)
        loss = lm_loss(model, x, y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 50 == 0:
            model.eval()
            with torch.no_grad():
                hx, hy = windows(held, 64, args.context)
                hl = lm_loss(model, hx, hy).item()
            model.train()
            print(f"step {step} train {loss.item():.3f} held {hl:.3f} ({hl / math.log(2):.2f} bits/char)")


if __name__ == "__main__":
    main()

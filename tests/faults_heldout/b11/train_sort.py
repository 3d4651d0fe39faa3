"""Encoder transformer (original post-norm layout) that tags every position of a sequence with its rank."""
import math
import tomllib
from pathlib import Path
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F

CFG = SimpleNamespace(**tomllib.loads((Path(__file__).parent / "config.toml").read_text()))


class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.attn = nn.MultiheadAttention(d, h, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(d, 4 * d), nn.ReLU(), nn.Linear(4 * d, d))
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)

    def forward(self, x):
        x = self.ln1(x + self.attn(x, x, x, need_weights=False)[0])
        return self.ln2(x + self.ff(x))


class Ranker(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.tok = nn.Embedding(c.vocab, c.dim)
        self.blocks = nn.ModuleList(Block(c.dim, c.heads) for _ in range(c.layers))
        self.out = nn.Linear(c.dim, c.length)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)

    def forward(self, t):
        x = self.tok(t) * math.sqrt(self.tok.embedding_dim)
        for b in self.blocks:
            x = b(x)
        return self.out(x)


def batch(n, c, gen):
    t = torch.rand(n, c.vocab, generator=gen).argsort(1)[:, :c.length]
    return t, t.argsort(1).argsort(1)


def lr_factor(step, warmup, total):
    if step < warmup:
        return (step + 1) / warmup
    return 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, total - warmup)))


def main(c):
    torch.manual_seed(c.seed)
    gen = torch.Generator().manual_seed(c.seed + 1)
    val = batch(512, c, torch.Generator().manual_seed(999))
    model = Ranker(c)
    opt = torch.optim.Adam(model.parameters(), lr=c.lr, betas=(0.9, 0.98), eps=1e-9)
    warmup = int(c.warmup_fraction) * c.steps
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: lr_factor(s, warmup, c.steps))
    for step in range(1, c.steps + 1):
        model.train()
        t, r = batch(c.batch, c, gen)
        loss = F.cross_entropy(model(t).flatten(0, 1), r.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 50 == 0:
            model.eval()
            with torch.no_grad():
                acc = (model(val[0]).argmax(-1) == val[1]).float().mean().item()
            print(f"step {step} loss {loss.item():.4f} val acc {acc:.4f}", flush=True)


if __name__ == "__main__":
    main(CFG)

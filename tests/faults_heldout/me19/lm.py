import math
from collections import Counter, defaultdict
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Config:
    context: int = 24
    width: int = 48
    heads: int = 4
    layers: int = 2
    batch: int = 32
    steps: int = 750
    warm: int = 60
    lr: float = 9e-3
    decay: float = 0.02


class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.h = c.heads
        self.n1, self.n2 = nn.LayerNorm(c.width), nn.LayerNorm(c.width)
        self.qkv = nn.Linear(c.width, 3 * c.width)
        self.proj = nn.Linear(c.width, c.width)
        self.mlp = nn.Sequential(nn.Linear(c.width, 3 * c.width), nn.GELU(), nn.Linear(3 * c.width, c.width))

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(self.n1(x)).view(B, T, 3, self.h, D // self.h).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(a.transpose(1, 2).reshape(B, T, D))
        return x + self.mlp(self.n2(x))


class LM(nn.Module):
    def __init__(self, vocab, c):
        super().__init__()
        self.tok = nn.Embedding(vocab, c.width)
        self.pos = nn.Parameter(torch.randn(c.context, c.width) * 0.1)
        self.layers = nn.Sequential(*(Layer(c) for _ in range(c.layers)))
        self.norm = nn.LayerNorm(c.width)
        self.out = nn.Linear(c.width, vocab)
        nn.init.normal_(self.tok.weight, std=0.3)

    def forward(self, ids):
        return self.out(self.norm(self.layers(self.tok(ids) + self.pos[:ids.shape[1]])))


def groups(model, c):
    mats = [p for p in model.parameters() if p.ndim >= 2]
    rest = [p for p in model.parameters() if p.ndim < 2]
    return [{"params": mats, "weight_decay": c.decay}, {"params": rest, "weight_decay": 0.0}]


def bigram(train, held):
    pair, one = Counter(zip(train, train[1:])), Counter(train[:-1])
    size = len(set(train))
    return -sum(math.log((pair[a, b] + 0.5) / (one[a] + 0.5 * size)) for a, b in zip(held, held[1:])) / (len(held) - 1)


def main():
    torch.manual_seed(31)
    c = Config()
    text = [open(f"corpus/{n}.txt").read() for n in ("train", "heldout")]
    chars = sorted(set(text[0]))
    ids = {ch: i for i, ch in enumerate(chars)}
    train, held = (torch.tensor([ids[ch] for ch in t]) for t in text)
    model = LM(len(chars), c)
    opt = torch.optim.AdamW(groups(model, c), lr=c.lr, betas=(0.9, 0.98))
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(
        (s + 1) / c.warm, 0.5 + 0.5 * math.cos(math.pi * max(0, s - c.warm) / (c.steps - c.warm))))
    hx = held[:-1][:(len(held) - 1) // c.context * c.context].view(-1, c.context)
    hy = held[1:][:hx.numel()].view(-1, c.context)

    def held_out():
        model.eval()
        with torch.no_grad():
            return F.cross_entropy(model(hx).flatten(0, 1), hy.flatten()).item()

    offsets = torch.arange(c.context)
    total = 0.0
    for step in range(1, c.steps + 1):
        model.train()
        at = torch.randint(len(train) - c.context - 1, (c.batch, 1)) + offsets
        loss = F.cross_entropy(model(train[at]).flatten(0, 1), train[at + 1].flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        total += loss.item()
        if step % 75 == 0:
            print(f"step {step:4d}  train {total / 75:.4f}  held-out {held_out():.4f} nats/char")
            total = 0.0
    print(f"bigram table: {bigram(text[0], text[1]):.4f} nats/char")


if __name__ == "__main__":
    main()

"""Rewrite dates with a small decoder-only transformer: '3 march 1998' -> '1998-03-03'."""
import random
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

MONTHS = "january february march april may june july august september october november december".split()
CHARS = "_|>" + "0123456789-, abcdefghijklmnopqrstuvwxyz"
STOI = {c: i for i, c in enumerate(CHARS)}
PAD, END, SEP = 0, 1, 2


@dataclass
class Cfg:
    dim: int = 64
    heads: int = 4
    layers: int = 2
    length: int = 31
    batch: int = 32
    steps: int = 340
    lr: float = 3e-3
    seed: int = 12


def sample(rng):
    y, m, d = rng.randint(1950, 2029), rng.randint(1, 12), rng.randint(1, 28)
    src = rng.choice([f"{d} {MONTHS[m - 1]} {y}", f"{MONTHS[m - 1]} {d}, {y}", f"{MONTHS[m - 1][:3]} {d} {y}"])
    return src, f"{y}-{m:02d}-{d:02d}"


def encode(src, dst, length):
    ids = [STOI[c] for c in src] + [SEP] + [STOI[c] for c in dst] + [END]
    return ids + [PAD] * (length + 1 - len(ids)), len(src)


def batch(rng, cfg):
    """Inputs, and targets that count from the first character after the arrow on."""
    rows, starts = zip(*(encode(*sample(rng), cfg.length) for _ in range(cfg.batch)))
    t = torch.tensor(rows)
    x, y = t[:, :-1], t[:, 1:].clone()
    for k, s in enumerate(starts):
        y[k, :s] = PAD
    return x, y


class Attention(nn.Module):
    def __init__(self, dim, heads, length):
        super().__init__()
        self.heads = heads
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        # True where a query may look
        self.register_buffer("mask", torch.ones(length, length, dtype=torch.bool).tril(diagonal=1))

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (z.view(b, t, self.heads, -1).transpose(1, 2) for z in self.qkv(x).chunk(3, -1))
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=self.mask[:t, :t])
        return self.proj(a.transpose(1, 2).reshape(b, t, d))


class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(c.dim), nn.LayerNorm(c.dim)
        self.attn = Attention(c.dim, c.heads, c.length)
        self.ff = nn.Sequential(nn.Linear(c.dim, 3 * c.dim), nn.GELU(), nn.Linear(3 * c.dim, c.dim))

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.ff(self.n2(x))


class DateLM(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.tok = nn.Embedding(len(CHARS), c.dim)
        self.pos = nn.Parameter(0.02 * torch.randn(c.length, c.dim))
        self.layers = nn.Sequential(*(Layer(c) for _ in range(c.layers)))
        self.norm, self.head = nn.LayerNorm(c.dim), nn.Linear(c.dim, len(CHARS))

    def forward(self, x):
        h = self.tok(x) + self.pos[: x.size(1)]
        return self.head(self.norm(self.layers(h)))

    @torch.no_grad()
    def rewrite(self, src, limit=10):
        ids = [STOI[c] for c in src] + [SEP]
        for _ in range(limit):
            nxt = self(torch.tensor([ids]))[0, -1].argmax().item()
            if nxt == END:
                break
            ids.append(nxt)
        return "".join(CHARS[i] for i in ids[len(src) + 1 :])


def main():
    c = Cfg()
    torch.manual_seed(c.seed)
    rng, val_rng = random.Random(c.seed), random.Random(c.seed + 1)
    model = DateLM(c)
    opt = torch.optim.AdamW(model.parameters(), lr=c.lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, c.lr, total_steps=c.steps, pct_start=0.1)
    for step in range(1, c.steps + 1):
        x, y = batch(rng, c)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten(), ignore_index=PAD)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 40 == 0:
            x, y = batch(val_rng, c)
            with torch.no_grad():
                val = F.cross_entropy(model(x).flatten(0, 1), y.flatten(), ignore_index=PAD).item()
            print(f"step {step:4d} train {loss.item():.4f} val {val:.4f}")
    pairs = [sample(val_rng) for _ in range(60)]
    out = [model.rewrite(s) for s, _ in pairs]
    for (s, d), o in list(zip(pairs, out))[:3]:
        print(f"{s!r} -> {o!r} (expected {d!r})")
    print(f"exact matches: {sum(o == d for (_, d), o in zip(pairs, out))} of {len(pairs)}")


if __name__ == "__main__":
    main()

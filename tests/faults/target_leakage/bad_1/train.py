"""Decoder-only transformer on characters, driven by a small settings file."""
import json
import math
import time
from pathlib import Path
from types import SimpleNamespace

import torch
from torch import nn
from torch.nn import functional as F

ROOT = Path(__file__).parent


class Attention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.n_head = c.n_head
        self.key = nn.Linear(c.n_embd, c.n_embd)
        self.query = nn.Linear(c.n_embd, c.n_embd)
        self.value = nn.Linear(c.n_embd, c.n_embd)
        self.proj = nn.Linear(c.n_embd, c.n_embd)
        self.register_buffer("mask", torch.tril(torch.ones(c.block_size, c.block_size)).bool())

    def forward(self, x):
        B, T, C = x.shape
        split = lambda t: t.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        q, k, v = split(self.query(x)), split(self.key(x)), split(self.value(x))
        att = q @ k.transpose(-2, -1) / math.sqrt(C // self.n_head)
        att = att.masked_fill(~self.mask[:T, :T], float("-inf"))
        y = F.softmax(att, dim=-1) @ v
        return self.proj(y.transpose(1, 2).reshape(B, T, C))


class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.post_norm = c.post_norm
        self.norm1, self.norm2 = nn.LayerNorm(c.n_embd), nn.LayerNorm(c.n_embd)
        self.attn = Attention(c)
        self.ff = nn.Sequential(nn.Linear(c.n_embd, 4 * c.n_embd), nn.ReLU(), nn.Linear(4 * c.n_embd, c.n_embd))

    def forward(self, x):
        if self.post_norm:
            x = self.norm1(x + self.attn(x))
            return self.norm2(x + self.ff(x))
        x = x + self.attn(self.norm1(x))
        return x + self.ff(self.norm2(x))


class LM(nn.Module):
    def __init__(self, c, n_vocab):
        super().__init__()
        self.tok = nn.Embedding(n_vocab, c.n_embd)
        self.pos = nn.Parameter(torch.zeros(c.block_size, c.n_embd))
        self.layers = nn.Sequential(*[Layer(c) for _ in range(c.n_layer)])
        self.norm = nn.Identity() if c.post_norm else nn.LayerNorm(c.n_embd)
        self.head = nn.Linear(c.n_embd, n_vocab)

    def forward(self, idx, targets):
        x = self.tok(idx) + self.pos[: idx.shape[1]]
        logits = self.head(self.norm(self.layers(x)))
        return logits, F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1))


def lr_at(step, c):
    if step < c.warmup:
        return c.lr * (step + 1) / c.warmup
    done = (step - c.warmup) / max(1, c.max_iters - c.warmup)
    return c.lr * (0.1 + 0.45 * (1 + math.cos(math.pi * done)))


def main():
    c = SimpleNamespace(**json.loads((ROOT / "settings.json").read_text()))
    torch.manual_seed(c.seed)
    text = (ROOT / "input.txt").read_text()
    chars = sorted(set(text))
    data = torch.tensor([chars.index(ch) for ch in text])
    n = int(0.9 * len(data))
    splits = {"train": data[:n], "val": data[n:]}

    def batch(split):
        d = splits[split]
        ix = torch.randint(len(d) - c.block_size, (c.batch_size,))
        x = torch.stack([d[i : i + c.block_size] for i in ix])
        y = torch.stack([d[i : i + c.block_size] for i in ix])
        return x, y

    model = LM(c, len(chars))
    optimizer = torch.optim.Adam(model.parameters(), lr=c.lr, betas=(0.9, c.beta2))
    t0 = time.time()
    for it in range(c.max_iters):
        for group in optimizer.param_groups:
            group["lr"] = lr_at(it, c)
        _, loss = model(*batch("train"))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        if (it + 1) % c.eval_interval == 0:
            model.eval()
            with torch.no_grad():
                val = sum(model(*batch("val"))[1].item() for _ in range(4)) / 4
            model.train()
            print(f"iter {it + 1}: loss {loss.item():.4f}, val {val:.4f}, lr {lr_at(it, c):.1e}, time {time.time() - t0:.1f}s")


if __name__ == "__main__":
    main()

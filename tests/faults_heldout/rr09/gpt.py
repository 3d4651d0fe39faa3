import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, dim, heads, context):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.proj = nn.Linear(dim, dim, bias=False)
        self.register_buffer("mask", torch.triu(torch.ones(context, context)), persistent=False)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.heads, D // self.heads).permute(2, 0, 3, 1, 4)
        w = q @ k.transpose(-2, -1) / math.sqrt(D // self.heads)
        w = w.masked_fill(self.mask[:T, :T] == 0, float("-inf")).softmax(-1)
        return self.proj((w @ v).transpose(1, 2).reshape(B, T, D))


class Block(nn.Module):
    def __init__(self, dim, heads, context):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = Attention(dim, heads, context)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.mlp(self.n2(x))


class GPT(nn.Module):
    def __init__(self, vocab, dim=64, depth=2, heads=4, context=32):
        super().__init__()
        self.context = context
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(torch.randn(context, dim) * 0.02)
        self.blocks = nn.Sequential(*(Block(dim, heads, context) for _ in range(depth)))
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, vocab)
        nn.init.normal_(self.tok.weight, std=0.02)

    def forward(self, ids, targets=None):
        x = self.tok(ids) + self.pos[:ids.shape[1]]
        logits = self.head(self.norm(self.blocks(x)))
        if targets is None:
            return logits
        return logits, F.cross_entropy(logits.transpose(1, 2), targets)

    @torch.no_grad()
    def generate(self, ids, n):
        for _ in range(n):
            p = self(ids[:, -self.context:])[:, -1].softmax(-1)
            ids = torch.cat([ids, torch.multinomial(p, 1)], 1)
        return ids

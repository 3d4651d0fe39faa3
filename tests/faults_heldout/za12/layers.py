import math

import torch
from torch import nn


def split_heads(x, n_heads):
    b, t, c = x.shape
    return x.reshape(b, n_heads, t, c // n_heads)


def merge_heads(x):
    b, h, t, d = x.shape
    return x.reshape(b, t, h * d)


class SelfAttention(nn.Module):
    def __init__(self, dim, n_heads, dropout=0.0):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (split_heads(z, self.n_heads) for z in self.qkv(x).chunk(3, dim=-1))
        att = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        att = self.drop(att.softmax(dim=-1))
        return self.proj(merge_heads(att @ v))


class Block(nn.Module):
    def __init__(self, dim, n_heads, dropout=0.0):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.att = SelfAttention(dim, n_heads, dropout)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim), nn.Dropout(dropout))

    def forward(self, x):
        x = x + self.att(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class FieldTagger(nn.Module):
    def __init__(self, vocab, n_tags, length, dim=48, n_heads=4, depth=2):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(torch.randn(1, length, dim) * 0.02)
        self.blocks = nn.Sequential(*[Block(dim, n_heads) for _ in range(depth)])
        self.ln = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, n_tags)

    def forward(self, ids):
        return self.head(self.ln(self.blocks(self.tok(ids) + self.pos)))

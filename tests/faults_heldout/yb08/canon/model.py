import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, dim, heads, dropout):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.dropout = dropout

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        p = self.dropout if self.training else 0.0
        y = nn.functional.scaled_dot_product_attention(q, k, v, dropout_p=p)
        return self.proj(y.transpose(1, 2).reshape(b, t, d))


class EncoderLayer(nn.Module):
    """Encoder layer as in the original transformer paper."""

    def __init__(self, dim, heads, ff, dropout):
        super().__init__()
        self.attn = SelfAttention(dim, heads, dropout)
        self.ff = nn.Sequential(nn.Linear(dim, ff), nn.ReLU(), nn.Linear(ff, dim))
        self.norm1 = nn.LayerNorm(dim)
        self.norm2 = nn.LayerNorm(dim)
        self.drop = nn.Dropout(dropout)
        for lin in (self.attn.qkv, self.attn.proj, self.ff[0], self.ff[2]):
            nn.init.xavier_uniform_(lin.weight)
            nn.init.zeros_(lin.bias)

    def forward(self, x):
        x = self.norm1(x + self.drop(self.attn(x)))
        return self.norm2(x + self.drop(self.ff(x)))


class CanonNet(nn.Module):
    def __init__(self, vocab, length, dim, heads, ff, layers, dropout):
        super().__init__()
        self.scale = math.sqrt(dim)
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(torch.randn(length, dim) * 0.5)
        nn.init.normal_(self.tok.weight, std=1 / self.scale)
        self.layers = nn.ModuleList([EncoderLayer(dim, heads, ff, dropout) for _ in range(layers)])
        self.head = nn.Linear(dim, vocab)

    def forward(self, items):
        x = self.tok(items) * self.scale + self.pos
        for layer in self.layers:
            x = layer(x)
        return self.head(x)

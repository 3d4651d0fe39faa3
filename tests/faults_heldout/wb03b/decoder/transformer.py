import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        att = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(d // self.heads), dim=-1)
        return self.out((att @ v).transpose(1, 2).reshape(b, t, d))


class EncoderLayer(nn.Module):
    """Attention and feed-forward as in Vaswani et al., normalisation after the residual sum."""

    def __init__(self, dim, heads, ff):
        super().__init__()
        self.attention = SelfAttention(dim, heads)
        self.norm1 = nn.LayerNorm(dim)
        self.feed_forward = nn.Sequential(nn.Linear(dim, ff), nn.ReLU(), nn.Linear(ff, dim))
        self.norm2 = nn.LayerNorm(dim)

    def forward(self, x):
        x = self.norm1(x + self.attention(x))
        return self.norm2(x + self.feed_forward(x))


class FrameDecoder(nn.Module):
    def __init__(self, symbols, slots, dim, heads, layers, ff):
        super().__init__()
        self.symbol = nn.Embedding(symbols, dim)
        self.slot = nn.Parameter(torch.randn(slots, dim))
        self.layers = nn.ModuleList([EncoderLayer(dim, heads, ff) for _ in range(layers)])
        self.head = nn.Linear(dim, symbols)
        for p in self.layers.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)

    def forward(self, wire):
        x = self.symbol(wire) + self.slot
        for layer in self.layers:
            x = layer(x)
        return self.head(x)

import torch
import torch.nn as nn


class MultiHead(nn.Module):
    def __init__(self, dim, heads, dropout):
        super().__init__()
        assert dim % heads == 0
        self.heads, self.width = heads, dim // heads
        self.to_q = nn.Linear(dim, dim)
        self.to_k = nn.Linear(dim, dim)
        self.to_v = nn.Linear(dim, dim)
        self.merge = nn.Linear(dim, dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        batch, length, dim = x.shape
        q = self.to_q(x).view(batch, self.heads, length, self.width)
        k = self.to_k(x).view(batch, self.heads, length, self.width)
        v = self.to_v(x).view(batch, self.heads, length, self.width)
        scores = q @ k.transpose(-2, -1) / self.width**0.5
        mixed = self.drop(scores.softmax(-1)) @ v
        return self.merge(mixed.reshape(batch, length, dim))


class Block(nn.Module):
    def __init__(self, dim, heads, dropout):
        super().__init__()
        self.pre_attn = nn.LayerNorm(dim)
        self.attn = MultiHead(dim, heads, dropout)
        self.pre_ff = nn.LayerNorm(dim)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Dropout(dropout), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.attn(self.pre_attn(x))
        return x + self.ff(self.pre_ff(x))


class PromoterNet(nn.Module):
    """Convolutional stem, a summary token and a few attention blocks."""

    def __init__(self, length, n_classes, dim=32, heads=4, depth=2, dropout=0.1):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv1d(4, dim, 7, padding=3), nn.GELU())
        self.summary = nn.Parameter(torch.zeros(1, 1, dim))
        self.position = nn.Parameter(0.02 * torch.randn(1, length + 1, dim))
        self.blocks = nn.Sequential(*[Block(dim, heads, dropout) for _ in range(depth)])
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, n_classes)

    def forward(self, x):
        h = self.stem(x.transpose(1, 2)).transpose(1, 2)
        h = torch.cat([self.summary.expand(len(h), -1, -1), h], dim=1) + self.position
        return self.out(self.norm(self.blocks(h)[:, 0]))

import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, dim, heads, dropout=0.0):
        super().__init__()
        assert dim % heads == 0
        self.heads, self.d = heads, dim // heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.drop = nn.Dropout(dropout)

    def split(self, t):
        B, L, _ = t.shape
        return t.view(B, L, self.heads, self.d).transpose(1, 2)

    def forward(self, x):
        B, L, D = x.shape
        q, k, v = (self.split(t) for t in self.qkv(x).chunk(3, dim=-1))
        w = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(self.d), dim=-1)
        ctx = self.drop(w) @ v                      # B, heads, L, d
        return self.proj(ctx.reshape(B, L, D))

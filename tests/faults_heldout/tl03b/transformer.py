import math

import torch
from torch import nn
import torch.nn.functional as F


class RowNorm(nn.Module):
    """Standardises the last axis, then gain and shift."""

    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(width))
        self.shift = nn.Parameter(torch.zeros(width))

    def forward(self, x):
        x = x - x.mean(-1, keepdim=True)
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.gain + self.shift


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.mix = nn.Linear(width, width)

    def forward(self, x):
        b, t, w = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, w // self.heads).permute(2, 0, 3, 1, 4)
        a = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(w // self.heads), dim=-1)
        return self.mix((a @ v).transpose(1, 2).reshape(b, t, w))


class Block(nn.Module):
    """Vaswani-style block: the norm follows each residual sum."""

    def __init__(self, width, heads):
        super().__init__()
        self.attn = Attention(width, heads)
        self.norm1 = RowNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.norm2 = RowNorm(width)

    def forward(self, x):
        x = self.norm1(x + self.attn(x))
        return self.norm2(x + self.down(F.relu(self.up(x))))


class SequenceTagger(nn.Module):
    def __init__(self, n_codes, length, n_tags, width, heads, depth):
        super().__init__()
        self.code = nn.Embedding(n_codes, width)
        self.place = nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(depth))
        self.out = nn.Linear(width, n_tags)
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.xavier_uniform_(m.weight)
                nn.init.zeros_(m.bias)

    def forward(self, codes):
        x = self.code(codes) + self.place.weight[: codes.shape[1]]
        for block in self.blocks:
            x = block(x)
        return self.out(x)

import math

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, d, heads, ff):
        super().__init__()
        self.h = heads
        self.qkv = nn.Linear(d, 3 * d)
        self.o = nn.Linear(d, d)
        self.n1 = nn.LayerNorm(d)
        self.n2 = nn.LayerNorm(d)
        self.ff = nn.Sequential(nn.Linear(d, ff), nn.ReLU(), nn.Linear(ff, d))

    def attend(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        w = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(d // self.h), -1)
        return self.o((w @ v).transpose(1, 2).reshape(b, t, d))

    def forward(self, x):
        x = self.n1(x + self.attend(x))
        return self.n2(x + self.ff(x))


class Tagger(nn.Module):
    def __init__(self, vocab, tags, length, d=48, heads=4, ff=96, layers=10):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Parameter(torch.zeros(length, d))
        nn.init.normal_(self.pos, std=0.3)
        self.blocks = nn.ModuleList(Block(d, heads, ff) for _ in range(layers))
        self.out = nn.Linear(d, tags)

    def forward(self, ids):
        x = self.tok(ids) + self.pos[: ids.shape[1]]
        for blk in self.blocks:
            x = blk(x)
        return self.out(x)

import math

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.mod = nn.Linear(width, 2 * width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, h, emb):
        scale, shift = self.mod(emb).chunk(2, dim=-1)
        z = self.norm(h) * (1 + scale) + shift
        return h + self.down(nn.functional.silu(self.up(z)))


class Denoiser(nn.Module):
    def __init__(self, dim, width, depth):
        super().__init__()
        freqs = torch.exp(-math.log(1000.0) * torch.arange(width // 2) / (width // 2))
        self.register_buffer("freqs", freqs)
        self.time = nn.Sequential(nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width))
        self.inp = nn.Linear(dim, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))
        self.out = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, dim))

    def forward(self, x, t):
        ang = t.unsqueeze(1).float() * self.freqs
        emb = self.time(torch.cat([ang.sin(), ang.cos()], dim=1))
        h = self.inp(x)
        for b in self.blocks:
            h = b(h, emb)
        return self.out(h)

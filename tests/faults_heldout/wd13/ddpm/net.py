import math

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, cond):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.lin1 = nn.Linear(width, width)
        self.cond = nn.Linear(cond, width)
        self.lin2 = nn.Linear(width, width)

    def forward(self, x, c):
        h = self.lin1(self.norm(x)) + self.cond(c)
        return x + self.lin2(nn.functional.silu(h))


class Denoiser(nn.Module):
    def __init__(self, steps, width=96, cond=32, blocks=3):
        super().__init__()
        freq = torch.exp(torch.linspace(0, math.log(200), cond // 2))
        self.register_buffer("freq", freq)
        self.steps = steps
        self.inp = nn.Linear(2, width)
        self.time = nn.Sequential(nn.Linear(cond, cond), nn.SiLU())
        self.blocks = nn.ModuleList(Block(width, cond) for _ in range(blocks))
        self.out = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 2))

    def forward(self, x, t):
        a = t.float().unsqueeze(1) / self.steps * self.freq
        c = self.time(torch.cat([a.sin(), a.cos()], 1))
        h = self.inp(x)
        for b in self.blocks:
            h = b(h, c)
        return self.out(h)

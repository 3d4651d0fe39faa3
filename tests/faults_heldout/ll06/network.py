import copy
import math

import torch
import torch.nn as nn


class TimeEmbedding(nn.Module):
    def __init__(self, dim, top=60):
        super().__init__()
        self.register_buffer("freq", torch.exp(torch.linspace(0, math.log(top), dim // 2)))
        self.top = top

    def forward(self, t):
        a = (t.float() / self.top)[:, None] * self.freq
        return torch.cat([a.sin(), a.cos()], 1)


class ResBlock(nn.Module):
    def __init__(self, width, tdim):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.a, self.b = nn.Linear(width, width), nn.Linear(width, width)
        self.t = nn.Linear(tdim, width)

    def forward(self, x, temb):
        h = torch.nn.functional.silu(self.a(self.norm(x)) + self.t(temb))
        return x + self.b(h)


class Denoiser(nn.Module):
    def __init__(self, dim=2, width=64, depth=3, tdim=32):
        super().__init__()
        self.temb = TimeEmbedding(tdim)
        self.inp = nn.Linear(dim, width)
        self.blocks = nn.ModuleList(ResBlock(width, tdim) for _ in range(depth))
        self.out = nn.Linear(width, dim)

    def forward(self, x, t):
        e = self.temb(t)
        h = self.inp(x)
        for b in self.blocks:
            h = b(h, e)
        return self.out(torch.nn.functional.silu(h))


class Average:
    """Exponential moving average of the weights, with a short ramp so that the start is forgotten."""

    def __init__(self, net, decay):
        self.net = copy.deepcopy(net).eval().requires_grad_(False)
        self.decay, self.n = decay, 0

    @torch.no_grad()
    def update(self, net):
        self.n += 1
        d = min(self.decay, (1 + self.n) / (10 + self.n))
        for a, p in zip(self.net.parameters(), net.parameters()):
            a.mul_(d).add_(p, alpha=1 - d)

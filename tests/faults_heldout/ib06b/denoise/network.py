import torch
from torch import nn

from .noise import SIGMA_DATA


class Block(nn.Module):
    def __init__(self, width, cond):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.shift = nn.Linear(cond, 2 * width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, h, c):
        a, b = self.shift(c).chunk(2, -1)
        return h + self.down(torch.nn.functional.silu(self.up(self.norm(h) * (1 + a) + b)))


class Denoiser(nn.Module):
    """Preconditioned as in Karras et al. (2022)."""

    def __init__(self, pixels, width, depth, cond=32):
        super().__init__()
        self.register_buffer("freqs", torch.exp(torch.linspace(-1.5, 2.0, cond // 2)))
        self.inp = nn.Linear(pixels, width)
        self.blocks = nn.ModuleList(Block(width, cond) for _ in range(depth))
        self.out = nn.Linear(width, pixels)

    def forward(self, x, sigma):
        total = (sigma ** 2 + SIGMA_DATA ** 2).sqrt()
        t = sigma.log() / 4 * self.freqs
        c = torch.cat([t.sin(), t.cos()], -1)
        h = self.inp(x / total)
        for block in self.blocks:
            h = block(h, c)
        return SIGMA_DATA ** 2 / total ** 2 * x + sigma * SIGMA_DATA / total * self.out(h)

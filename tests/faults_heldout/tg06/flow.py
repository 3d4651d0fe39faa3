import math

import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, dim, hidden, mask):
        super().__init__()
        self.register_buffer("mask", mask)
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(),
                                 nn.Linear(hidden, 2 * dim))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        s, t = self.net(x * self.mask).chunk(2, dim=1)
        s = 2.0 * torch.tanh(s / 2.0) * (1 - self.mask)
        t = t * (1 - self.mask)
        return x * torch.exp(s) + t, s.sum(1)


class RealNVP(nn.Module):
    def __init__(self, dim, layers=6, hidden=48, generator=None):
        super().__init__()
        blocks = []
        for i in range(layers // 2):
            mask = torch.zeros(dim)
            mask[torch.randperm(dim, generator=generator)[: (dim + i % 2) // 2]] = 1.0
            blocks += [Coupling(dim, hidden, mask), Coupling(dim, hidden, 1 - mask)]
        self.blocks = nn.ModuleList(blocks)
        self.dim = dim

    def log_prob(self, x):
        total = torch.zeros(len(x))
        for b in self.blocks:
            x, ld = b(x)
            total = total + ld
        return total - 0.5 * (x ** 2).sum(1) - 0.5 * self.dim * math.log(2 * math.pi)

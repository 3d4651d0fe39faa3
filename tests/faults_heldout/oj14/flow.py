import math

import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, dim, hidden, flip):
        super().__init__()
        mask = (torch.arange(dim) % 2 == int(flip)).float()
        self.register_buffer("mask", mask)
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(),
                                 nn.Linear(hidden, 2 * dim))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        s, t = self.net(x * self.mask).chunk(2, 1)
        s = 2 * torch.tanh(s / 2) * (1 - self.mask)
        t = t * (1 - self.mask)
        return x * s.exp() + t, s.sum(1)


class Flow(nn.Module):
    def __init__(self, dim=3, hidden=48, blocks=6):
        super().__init__()
        self.blocks = nn.ModuleList(Coupling(dim, hidden, i % 2) for i in range(blocks))
        self.dim = dim

    def log_prob(self, x):
        logdet = 0.0
        for block in self.blocks:
            x, d = block(x)
            logdet = logdet + d
        return logdet - 0.5 * (x ** 2).sum(1) - 0.5 * self.dim * math.log(2 * math.pi)

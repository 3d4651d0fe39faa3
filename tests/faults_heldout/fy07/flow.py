import math

import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, dim, hidden, flip):
        super().__init__()
        mask = (torch.arange(dim) % 2).float()
        self.register_buffer("mask", 1 - mask if flip else mask)
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(),
                                 nn.Linear(hidden, 2 * dim))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        s, t = self.net(x * self.mask).chunk(2, -1)
        s = 2 * torch.tanh(s / 2) * (1 - self.mask)
        t = t * (1 - self.mask)
        return x * s.exp() + t, s.sum(-1)


class Flow(nn.Module):
    def __init__(self, dim, layers, hidden):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(dim, hidden, k % 2 == 1) for k in range(layers))

    def log_prob(self, x):
        total = 0.0
        for layer in self.layers:
            x, ld = layer(x)
            total = total + ld
        base = -0.5 * x.square().sum(-1) - 0.5 * x.shape[-1] * math.log(2 * math.pi)
        return base + total

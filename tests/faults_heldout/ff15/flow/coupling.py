import math

import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, dim, hidden, mask):
        super().__init__()
        self.register_buffer("mask", mask)
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(),
                                 nn.Linear(hidden, 2 * dim))

    def forward(self, x):
        s, t = self.net(x * self.mask).chunk(2, -1)
        s = torch.tanh(s) * (1 - self.mask)
        t = t * (1 - self.mask)
        return x * s.exp() + t, s.float().sum(-1)


class RealNVP(nn.Module):
    def __init__(self, dim, hidden=48, layers=6):
        super().__init__()
        masks = [((torch.arange(dim) + k) % 2).float() if k % 3 else (torch.arange(dim) < dim // 2).float()
                 for k in range(layers)]
        masks = [1 - m if k % 2 else m for k, m in enumerate(masks)]
        self.layers = nn.ModuleList(Coupling(dim, hidden, m) for m in masks)

    def log_prob(self, x):
        logdet = 0.0
        for layer in self.layers:
            x, ld = layer(x)
            logdet = logdet + ld
        x = x.float()
        return (-0.5 * x.pow(2) - 0.5 * math.log(2 * math.pi)).sum(-1) + logdet

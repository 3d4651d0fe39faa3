import math

import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, dim, keep, hidden):
        super().__init__()
        mask = torch.zeros(dim)
        mask[keep] = 1.0
        self.register_buffer("mask", mask)
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 2 * dim))
        nn.init.zeros_(self.net[-1].weight)  # starts as the identity
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        s, t = self.net(x * self.mask).chunk(2, -1)
        s = 2.0 * torch.tanh(s / 2.0) * (1 - self.mask)
        t = t * (1 - self.mask)
        return x * s.exp() + t, s.sum(-1)

    def inverse(self, z):
        s, t = self.net(z * self.mask).chunk(2, -1)
        s = 2.0 * torch.tanh(s / 2.0) * (1 - self.mask)
        return (z - t * (1 - self.mask)) * (-s).exp()


class Flow(nn.Module):
    def __init__(self, mean, std, blocks=8, hidden=40):
        super().__init__()
        dim = len(mean)
        self.register_buffer("mean", mean)
        self.register_buffer("std", std)
        self.steps = nn.ModuleList(Coupling(dim, [k % dim] if k % 2 else [k % dim, (k + 1) % dim], hidden) for k in range(blocks))

    def log_prob(self, x):
        z = (x - self.mean) / self.std
        logdet = -self.std.log().sum()
        for s in self.steps:
            z, ld = s(z)
            logdet = logdet + ld
        return (-0.5 * z.pow(2) - 0.5 * math.log(2 * math.pi)).sum(-1) + logdet

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, len(self.mean))
        for s in reversed(self.steps):
            z = s.inverse(z)
        return z * self.std + self.mean

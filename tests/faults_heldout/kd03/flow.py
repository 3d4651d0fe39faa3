import math

import torch
import torch.nn as nn


class Coupling(nn.Module):
    def __init__(self, dim, hidden, mask):
        super().__init__()
        self.register_buffer("mask", mask)
        self.net = nn.Sequential(
            nn.Linear(dim, hidden), nn.SiLU(),
            nn.Linear(hidden, hidden), nn.SiLU(),
            nn.Linear(hidden, 2 * dim),
        )
        # start as the identity map
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        s, t = self.net(x * self.mask).chunk(2, dim=-1)
        s = torch.tanh(s) * 2.0 * (1 - self.mask)
        t = t * (1 - self.mask)
        return x * torch.exp(s) + t, s.sum(-1)

    def inverse(self, y):
        s, t = self.net(y * self.mask).chunk(2, dim=-1)
        s = torch.tanh(s) * 2.0 * (1 - self.mask)
        t = t * (1 - self.mask)
        return (y - t) * torch.exp(-s)


class Flow(nn.Module):
    """Density of the raw measurements (metres); the affine input layer is part of the model."""

    def __init__(self, mean, std, n_layers=8, hidden=64):
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("std", std)
        dim = len(mean)
        masks = [(torch.arange(dim) % 2 == i % 2).float() for i in range(n_layers)]
        self.layers = nn.ModuleList([Coupling(dim, hidden, m) for m in masks])

    def log_prob(self, x):
        z = (x - self.mean) / self.std
        ld = -self.std.log().sum()
        for layer in self.layers:
            z, d = layer(z)
            ld = ld + d
        base = -0.5 * (z ** 2).sum(-1) - 0.5 * z.shape[-1] * math.log(2 * math.pi)
        return base + ld

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, len(self.mean))
        for layer in reversed(self.layers):
            z = layer.inverse(z)
        return z * self.std + self.mean

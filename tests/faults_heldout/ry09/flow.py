import math

import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, dim, hidden, flip):
        super().__init__()
        mask = (torch.arange(dim) % 2 == int(flip)).float()
        self.register_buffer("mask", mask)
        self.net = nn.Sequential(
            nn.Linear(dim, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 2 * dim)
        )
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def _params(self, kept):
        s, t = self.net(kept).chunk(2, dim=-1)
        free = 1 - self.mask
        return 2 * torch.tanh(s / 2) * free, t * free

    def forward(self, x):
        s, t = self._params(x * self.mask)
        return x * s.exp() + t, s.sum(-1)

    def inverse(self, z):
        s, t = self._params(z * self.mask)
        return (z - t) * (-s).exp()


class Flow(nn.Module):
    def __init__(self, dim, hidden=40, depth=6):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(dim, hidden, k % 2) for k in range(depth))
        self.dim = dim

    def log_prob(self, x):
        total = x.new_zeros(len(x))
        for layer in self.layers:
            x, ld = layer(x)
            total = total + ld
        return total - 0.5 * x.pow(2).sum(-1) - 0.5 * self.dim * math.log(2 * math.pi)

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, self.dim)
        for layer in reversed(self.layers):
            z = layer.inverse(z)
        return z

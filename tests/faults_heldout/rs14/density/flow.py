import math

import torch
from torch import nn


class Coupling(nn.Module):
    """Affine coupling; the half selected by `mask` passes through unchanged."""

    def __init__(self, dim, hidden, mask):
        super().__init__()
        self.register_buffer("mask", mask)
        self.net = nn.Sequential(
            nn.Linear(dim, hidden), nn.SiLU(),
            nn.Linear(hidden, hidden), nn.SiLU(),
            nn.Linear(hidden, 2 * dim),
        )
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def _params(self, kept):
        s, t = self.net(kept).chunk(2, 1)
        free = 1 - self.mask
        return 1.5 * torch.tanh(s / 1.5) * free, t * free

    def forward(self, x):
        s, t = self._params(x * self.mask)
        return x * torch.exp(s) + t, s.sum(1)

    def inverse(self, z):
        s, t = self._params(z * self.mask)
        return (z - t) * torch.exp(-s)


class CouplingFlow(nn.Module):
    def __init__(self, loc, scale, layers=6, hidden=48):
        super().__init__()
        self.register_buffer("loc", loc)
        self.register_buffer("scale", scale)
        dim = len(loc)
        masks = []
        for k in range(layers):
            m = torch.zeros(dim)
            m[[(k + j) % dim for j in range(dim // 2)]] = 1.0
            masks.append(m)
        self.layers = nn.ModuleList(Coupling(dim, hidden, m) for m in masks)

    def log_prob(self, x):
        z = (x - self.loc) / self.scale
        logdet = -self.scale.log().sum()
        for layer in self.layers:
            z, ld = layer(z)
            logdet = logdet + ld
        return logdet - 0.5 * (z ** 2).sum(1) - 0.5 * z.shape[1] * math.log(2 * math.pi)

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, len(self.loc))
        for layer in reversed(self.layers):
            z = layer.inverse(z)
        return z * self.scale + self.loc

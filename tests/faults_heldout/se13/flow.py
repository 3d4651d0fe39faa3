import math

import torch
from torch import nn


class Coupling(nn.Module):
    """Affine coupling; `mask` marks the coordinates that pass through."""

    def __init__(self, mask, hidden):
        super().__init__()
        self.register_buffer("mask", mask)
        d = mask.numel()
        self.net = nn.Sequential(
            nn.Linear(d, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, 2 * d))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def _params(self, kept):
        log_s, t = self.net(kept).chunk(2, dim=-1)
        free = 1 - self.mask
        return 2.5 * torch.tanh(log_s / 2.5) * free, t * free

    def forward(self, x):
        log_s, t = self._params(x * self.mask)
        return x * log_s.exp() + t, log_s.sum(-1)

    def inverse(self, z):
        log_s, t = self._params(z * self.mask)
        return (z - t) * (-log_s).exp()


class RealNVP(nn.Module):
    def __init__(self, dim, n_layers=8, hidden=64):
        super().__init__()
        gen = torch.Generator().manual_seed(0)
        layers = []
        for k in range(n_layers):
            if k % 2 == 0:
                mask = torch.zeros(dim)
                mask[torch.randperm(dim, generator=gen)[: dim // 2]] = 1.0
            else:
                mask = 1 - mask
            layers.append(Coupling(mask.clone(), hidden))
        self.layers = nn.ModuleList(layers)

    def log_prob(self, x):
        logdet = x.new_zeros(len(x))
        for layer in self.layers:
            x, ld = layer(x)
            logdet = logdet + ld
        base = -0.5 * (x.pow(2) + math.log(2 * math.pi)).sum(-1)
        return base + logdet

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, self.layers[0].mask.numel())
        for layer in reversed(self.layers):
            z = layer.inverse(z)
        return z

import math

import torch
import torch.nn as nn


class Coupling(nn.Module):
    def __init__(self, dim, mask, hidden):
        super().__init__()
        self.register_buffer("mask", mask)
        self.body = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.s = nn.Linear(hidden, dim)
        self.t = nn.Linear(hidden, dim)
        # every coupling starts out as the identity map
        for lin in (self.s, self.t):
            nn.init.zeros_(lin.weight)
            nn.init.zeros_(lin.bias)

    def _st(self, kept):
        h = self.body(kept)
        free = 1 - self.mask
        return 1.5 * torch.tanh(self.s(h)) * free, self.t(h) * free

    def forward(self, x):
        kept = x * self.mask
        s, t = self._st(kept)
        return kept + (1 - self.mask) * (x * s.exp() + t), s.sum(-1)

    def inverse(self, y):
        kept = y * self.mask
        s, t = self._st(kept)
        return kept + (1 - self.mask) * ((y - t) * (-s).exp())


class ActNorm(nn.Module):
    """Per-feature affine map, initialised from the first batch it sees."""

    def __init__(self, dim):
        super().__init__()
        self.log_scale = nn.Parameter(torch.zeros(dim))
        self.shift = nn.Parameter(torch.zeros(dim))
        self.register_buffer("ready", torch.tensor(False))

    def forward(self, x):
        if not self.ready:
            with torch.no_grad():
                self.shift.copy_(-x.mean(0))
                self.log_scale.copy_(-(x.std(0) + 1e-6).log())
                self.ready.fill_(True)
        return (x + self.shift) * self.log_scale.exp(), self.log_scale.sum().expand(len(x))

    def inverse(self, y):
        return y * (-self.log_scale).exp() - self.shift


class Flow(nn.Module):
    def __init__(self, dim, depth=6, hidden=48):
        super().__init__()
        self.dim = dim
        layers = []
        for k in range(depth):
            mask = torch.zeros(dim)
            mask[[i for i in range(dim) if (i + k) % 2 == 0]] = 1
            layers += [ActNorm(dim), Coupling(dim, mask, hidden)]
        self.layers = nn.ModuleList(layers)

    def log_prob(self, x):
        total = x.new_zeros(len(x))
        for layer in self.layers:
            x, ld = layer(x)
            total = total + ld
        return total - 0.5 * (x ** 2).sum(-1) - 0.5 * self.dim * math.log(2 * math.pi)

    @torch.no_grad()
    def sample(self, n):
        x = torch.randn(n, self.dim)
        for layer in reversed(self.layers):
            x = layer.inverse(x)
        return x

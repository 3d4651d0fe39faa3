import math

import torch
import torch.nn as nn


class ActNorm(nn.Module):
    """Per-dimension affine map whose first call sets it from batch statistics."""

    def __init__(self, dim):
        super().__init__()
        self.shift = nn.Parameter(torch.zeros(dim))
        self.log_scale = nn.Parameter(torch.zeros(dim))
        self.register_buffer("ready", torch.tensor(False))

    def forward(self, x):
        if not self.ready:
            with torch.no_grad():
                self.shift.copy_(-x.mean(0))
                self.log_scale.copy_(-(x.std(0) + 1e-6).log())
                self.ready.fill_(True)
        return (x + self.shift) * self.log_scale.exp(), self.log_scale.sum().expand(len(x))

    def inverse(self, z):
        return z * (-self.log_scale).exp() - self.shift


class Coupling(nn.Module):
    def __init__(self, flip, width=64):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 2))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def split(self, x):
        a, b = x[:, :1], x[:, 1:]
        return (b, a) if self.flip else (a, b)

    def join(self, a, b):
        return torch.cat([b, a] if self.flip else [a, b], dim=1)

    def scale_shift(self, a):
        s, t = self.net(a).chunk(2, dim=1)
        return 2 * torch.tanh(s / 2), t

    def forward(self, x):
        a, b = self.split(x)
        s, t = self.scale_shift(a)
        return self.join(a, b * s.exp() + t), s[:, 0]

    def inverse(self, z):
        a, b = self.split(z)
        s, t = self.scale_shift(a)
        return self.join(a, (b - t) * (-s).exp())


class RealNVP(nn.Module):
    def __init__(self, depth=8):
        super().__init__()
        layers = []
        for i in range(depth):
            layers += [ActNorm(2), Coupling(flip=bool(i % 2))]
        self.layers = nn.ModuleList(layers)

    def log_prob(self, x):
        logdet = x.new_zeros(len(x))
        for layer in self.layers:
            x, ld = layer(x)
            logdet = logdet + ld
        return logdet - 0.5 * (x ** 2).sum(1) - math.log(2 * math.pi)

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, 2)
        for layer in reversed(self.layers):
            z = layer.inverse(z)
        return z

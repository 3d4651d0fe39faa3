import math

import torch
from torch import nn


class FourierFeatures(nn.Module):
    def __init__(self, n_freq, sigma):
        super().__init__()
        self.register_buffer("freq", sigma * torch.randn(2, n_freq))

    def forward(self, xy):
        angle = 2 * math.pi * xy @ self.freq
        return torch.cat([angle.sin(), angle.cos()], dim=-1)


class PixelField(nn.Module):
    """Implicit image: (x, y) -> brightness."""

    def __init__(self, n_freq=48, sigma=1.5, width=96, depth=3):
        super().__init__()
        self.encode = FourierFeatures(n_freq, sigma)
        layers, d = [], 2 * n_freq
        for _ in range(depth):
            layers += [nn.Linear(d, width), nn.SiLU()]
            d = width
        self.body = nn.Sequential(*layers)
        self.out = nn.Linear(d, 1)

    def forward(self, xy):
        return self.out(self.body(self.encode(xy)))

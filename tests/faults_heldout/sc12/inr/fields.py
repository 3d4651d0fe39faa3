import math

import torch
from torch import nn


class FourierField(nn.Module):
    """Coordinate network with random Fourier features: (x, y) -> rgb."""

    def __init__(self, features, bandwidth, width, depth):
        super().__init__()
        self.register_buffer("freqs", torch.randn(2, features) * bandwidth)
        layers, n = [], 2 * features
        for _ in range(depth):
            layers += [nn.Linear(n, width), nn.ReLU()]
            n = width
        self.net = nn.Sequential(*layers, nn.Linear(n, 3), nn.Sigmoid())

    def forward(self, xy):
        z = 2 * math.pi * (xy @ self.freqs) / 2
        return self.net(torch.cat([z.sin(), z.cos()], dim=-1))

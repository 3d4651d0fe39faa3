import math

import torch
from torch import nn


class Bands(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("freq", 2.0 ** torch.arange(n) * math.pi)

    def forward(self, xy):
        a = (xy[..., None] * self.freq).flatten(1)
        return torch.cat([xy, a.sin(), a.cos()], dim=1)


def build_field(bands, width, depth):
    layers = [Bands(bands)]
    size = 2 + 4 * bands
    for _ in range(depth):
        layers += [nn.Linear(size, width), nn.GELU()]
        size = width
    layers.append(nn.Linear(size, 1))
    return nn.Sequential(*layers)

import torch
from torch import nn


class Conditioner(nn.Module):
    """Scale and shift per hidden unit; starts as the identity."""

    def __init__(self, n_context, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_context, 48), nn.SiLU(), nn.Linear(48, 2 * width))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, h, context):
        scale, shift = self.net(context).chunk(2, dim=-1)
        return h * (1 + scale) + shift


class SensorModel(nn.Module):
    def __init__(self, n_in, n_context, width=64):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(n_in, width), nn.SiLU())
        self.modulate1 = Conditioner(n_context, width)
        self.trunk = nn.Sequential(nn.Linear(width, width), nn.SiLU())
        self.modulate2 = Conditioner(n_context, width)
        self.head = nn.Linear(width, 1)

    def forward(self, x, context):
        h = self.modulate1(self.stem(x), context)
        h = self.modulate2(self.trunk(h), context)
        return self.head(h).squeeze(-1)

import math

import torch
import torch.nn as nn


class VelocityField(nn.Module):
    def __init__(self, hidden=96, depth=3, time_features=16):
        super().__init__()
        self.register_buffer("freqs", 2 * math.pi * torch.linspace(0.25, 2.0, time_features // 2))
        layers, width = [], 2 + time_features
        for _ in range(depth):
            layers += [nn.Linear(width, hidden), nn.SiLU()]
            width = hidden
        layers.append(nn.Linear(width, 2))
        self.net = nn.Sequential(*layers)

    def forward(self, x, t):
        ang = t * self.freqs
        return self.net(torch.cat([x, ang.sin(), ang.cos()], dim=1))


def matching_loss(field, x1):
    """Conditional flow matching on straight lines between noise and data."""
    x0 = torch.randn_like(x1)
    t = torch.rand(len(x1), 1)
    xt = (1 - t) * x0 + t * x1
    return ((field(xt, t) - (x1 - x0)) ** 2).sum(dim=1).mean()


@torch.no_grad()
def sample(field, n, steps, generator):
    x = torch.randn(n, 2, generator=generator)
    dt = 1.0 / steps
    for k in range(steps):
        t = torch.full((n, 1), k * dt)
        mid = x + 0.5 * dt * field(x, t)
        x = x + dt * field(mid, t + 0.5 * dt)
    return x

import math

import torch
from torch import nn


def _log(v):
    return nn.Parameter(torch.tensor(math.log(v), dtype=torch.float64))


class Rbf(nn.Module):
    def __init__(self, length=1.0, scale=None):
        super().__init__()
        self.log_length = _log(length)
        self.log_scale = _log(scale) if scale is not None else None

    def forward(self, a, b):
        d = (a[:, None] - b[None, :]) / self.log_length.exp()
        k = torch.exp(-0.5 * d ** 2)
        # without a scale of its own: an envelope inside a product
        return k if self.log_scale is None else (2 * self.log_scale).exp() * k


class Periodic(nn.Module):
    def __init__(self, period=1.0, length=1.0, scale=1.0):
        super().__init__()
        self.log_period, self.log_length, self.log_scale = _log(period), _log(length), _log(scale)

    def forward(self, a, b):
        d = math.pi * (a[:, None] - b[None, :]) / self.log_period.exp()
        return (2 * self.log_scale).exp() * torch.exp(-2 * (torch.sin(d) / self.log_length.exp()) ** 2)


class Sum(nn.Module):
    def __init__(self, *parts):
        super().__init__()
        self.parts = nn.ModuleList(parts)

    def forward(self, a, b):
        return sum(p(a, b) for p in self.parts)


class Product(Sum):
    def forward(self, a, b):
        out = self.parts[0](a, b)
        for p in self.parts[1:]:
            out = out * p(a, b)
        return out

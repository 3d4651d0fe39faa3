import math

import torch
from torch import nn
import torch.nn.functional as F


def fan_in_init(module, gain=2.0):
    for p in module.parameters():
        if p.dim() > 1:
            fan_in = p[0].numel()
            p.data.normal_(0.0, math.sqrt(gain / fan_in))
        else:
            p.data.zero_()


class Digit(nn.Module):
    def __init__(self, width, drop):
        super().__init__()
        self.c1 = nn.Conv2d(1, width, 3, padding=1)
        self.c2 = nn.Conv2d(width, 2 * width, 3, padding=1)
        self.d1 = nn.Linear(2 * width * 4, 64)
        self.d2 = nn.Linear(64, 10)
        self.drop = drop
        fan_in_init(self)
        fan_in_init(self.d2, gain=1.0)

    def forward(self, x):
        x = F.max_pool2d(F.gelu(self.c1(x)), 2)
        x = F.max_pool2d(F.gelu(self.c2(x)), 2)
        x = F.gelu(self.d1(x.flatten(1)))
        if self.training and self.drop:
            keep = torch.empty_like(x).bernoulli_(1 - self.drop)
            x = x * keep / (1 - self.drop)
        return self.d2(x)

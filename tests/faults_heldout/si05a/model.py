import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x):
        return x + self.ff(self.norm(x))


class NoseNet(nn.Module):
    """log resistances of 8 MOX sensors, temperature, humidity -> log concentrations of 3 gases"""

    def __init__(self, d=32, depth=2):
        super().__init__()
        self.stem = nn.Linear(10, d)
        self.blocks = nn.Sequential(*[Block(d) for _ in range(depth)])
        self.head = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 3))

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)))

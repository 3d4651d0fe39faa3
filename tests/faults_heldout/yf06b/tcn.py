import torch
from torch import nn


class CausalBlock(nn.Module):
    def __init__(self, cin, cout, dilation, kernel=3):
        super().__init__()
        self.pad = (kernel - 1) * dilation
        self.conv = nn.Conv1d(cin, cout, kernel, dilation=dilation)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.conv(nn.functional.pad(x, (self.pad, 0))))


class Trunk(nn.Module):
    def __init__(self, cin=4, width=32, dilations=(1, 2, 4, 8, 16)):
        super().__init__()
        sizes = [cin] + [width] * len(dilations)
        self.blocks = nn.Sequential(*[CausalBlock(a, b, d) for a, b, d in zip(sizes, sizes[1:], dilations)])

    def forward(self, x):
        return self.blocks(x)[..., -1]


class Forecaster(nn.Module):
    def __init__(self, horizon=24, width=32):
        super().__init__()
        self.trunk = Trunk(width=width)
        self.head = nn.Linear(width, horizon)

    def forward(self, x):
        return self.head(self.trunk(x))

import torch
from torch import nn


class CausalConv(nn.Module):
    def __init__(self, cin, cout, dilation):
        super().__init__()
        self.pad = 2 * dilation
        self.conv = nn.Conv1d(cin, cout, 3, dilation=dilation)

    def forward(self, x):
        return self.conv(nn.functional.pad(x, (self.pad, 0)))


class LoadTCN(nn.Module):
    """Half a week of hourly load and temperature in, the next twelve hours out."""

    def __init__(self, features=4, width=24, horizon=12, dilations=(1, 2, 4, 8, 16)):
        super().__init__()
        self.inp = nn.Conv1d(features, width, 1)
        self.layers = nn.ModuleList(CausalConv(width, width, d) for d in dilations)
        self.out = nn.Linear(width, horizon)

    def forward(self, x):
        h = self.inp(x.transpose(1, 2))
        for layer in self.layers:
            h = h + torch.nn.functional.gelu(layer(h))
        return self.out(h[:, :, -1])

import torch
from torch import nn


class DeflectionNet(nn.Module):
    """Works on normalised deflections internally, returns metres."""

    def __init__(self, n_in, n_out, hidden, layers, out_mean, out_std):
        super().__init__()
        blocks, d = [], n_in
        for _ in range(layers):
            blocks += [nn.Linear(d, hidden), nn.GELU()]
            d = hidden
        self.net = nn.Sequential(*blocks, nn.Linear(d, n_out))
        self.register_buffer("out_mean", out_mean)
        self.register_buffer("out_std", out_std)

    def forward(self, x):
        z = self.net(x)
        return z.float() * self.out_std + self.out_mean

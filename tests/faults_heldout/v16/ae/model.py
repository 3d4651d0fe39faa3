import torch
from torch import nn

from .layers import dense


class DenoisingAE(nn.Module):
    def __init__(self, n_in=64, widths=(96, 64), latent=12):
        super().__init__()
        self.encoder = nn.Sequential(dense(n_in, widths[0]), dense(widths[0], widths[1]), nn.Linear(widths[1], latent))
        self.stages = [dense(latent, widths[1]), dense(widths[1], widths[0]), dense(widths[0], n_in, act=False)]
        self.gain = nn.Parameter(torch.ones(n_in))

    def encode(self, x):
        return self.encoder(x)

    def decode(self, z):
        for stage in self.stages:
            z = stage(z)
        return self.gain * z

    def forward(self, x):
        return self.decode(self.encode(x))

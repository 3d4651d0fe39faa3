import torch
from torch import nn


class Denoiser(nn.Module):
    """Predicts the clean image from a noisy one and its noise level."""

    def __init__(self, dim, width):
        super().__init__()
        self.inp = nn.Linear(dim + 1, width)
        self.mid = nn.ModuleList(nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.SiLU()) for _ in range(2))
        self.out = nn.Linear(width, dim)

    def forward(self, x, sigma):
        h = torch.nn.functional.silu(self.inp(torch.cat([x, sigma.log()], 1)))
        for block in self.mid:
            h = h + block(h)
        return self.out(h)

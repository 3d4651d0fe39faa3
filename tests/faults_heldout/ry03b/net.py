import torch
from torch import nn


class Surrogate(nn.Module):
    """Predicts compressive strength (standardised) from the mix recipe."""

    def __init__(self, n_in, width=64):
        super().__init__()
        self.stem = nn.Linear(n_in, width)
        self.mid = nn.Linear(width, width)
        self.neck = nn.Linear(width, width)
        self.head = nn.Linear(width, 1)
        self.act = nn.GELU()

    def forward(self, x):
        x = x.to(self.stem.weight.dtype)
        h = self.act(self.stem(x))
        h = h + self.act(self.mid(h))
        h = h + self.act(self.neck(h))
        return self.head(h).float().squeeze(-1)

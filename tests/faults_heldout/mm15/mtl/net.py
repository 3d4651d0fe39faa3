import torch
from torch import nn


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(64, 96), nn.LayerNorm(96), nn.ReLU(), nn.Linear(96, 48), nn.ReLU())
        self.digit = nn.Linear(48, 10)
        self.ink = nn.Linear(48, 1)
        self.centre = nn.Linear(48, 2)
        self.log_sigma = nn.Parameter(torch.zeros(3))

    def forward(self, x):
        h = self.trunk(x)
        return self.digit(h), self.ink(h).squeeze(1), self.centre(h)

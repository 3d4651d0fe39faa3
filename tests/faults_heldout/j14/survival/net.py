import torch
from torch import nn


class HazardNet(nn.Module):
    def __init__(self, d, n_bins, width=64):
        super().__init__()
        self.inp = nn.Linear(d, width)
        self.mid = nn.Linear(width, width)
        self.risk = nn.Linear(width, n_bins)

    def forward(self, x):
        h = torch.relu(self.inp(x))
        h = torch.relu(self.mid(h))
        return self.risk(h)

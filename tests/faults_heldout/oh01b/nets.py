import torch
import torch.nn as nn
import torch.nn.functional as F


class MotifTrunk(nn.Module):
    """Stack of 1-d convolutions over one-hot DNA, pooled over positions."""

    def __init__(self, width=24, k=9):
        super().__init__()
        self.scan = nn.Conv1d(4, width, k, padding=k // 2)
        self.mix = nn.Conv1d(width, width, 5, padding=2)
        self.norm = nn.GroupNorm(4, width)
        self.width = width

    def forward(self, x):
        h = F.gelu(self.scan(x))
        h = F.max_pool1d(h, 2)
        h = F.gelu(self.norm(self.mix(h)))
        return torch.cat([h.amax(-1), h.mean(-1)], dim=1)


class BindingModel(nn.Module):
    def __init__(self, trunk, hidden=32):
        super().__init__()
        self.trunk = trunk
        self.readout = nn.Sequential(nn.Linear(2 * trunk.width, hidden), nn.GELU(), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.readout(self.trunk(x)).squeeze(-1)

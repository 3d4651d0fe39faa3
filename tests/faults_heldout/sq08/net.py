import torch
from torch import nn


class SetPool(nn.Module):
    """Permutation invariant summary: mean of the member features and the (log) number of members."""

    def forward(self, h, sizes):
        return torch.cat([h.mean(dim=1), sizes.float().log().unsqueeze(1)], dim=1)


class StrengthNet(nn.Module):
    def __init__(self, n_in, width):
        super().__init__()
        self.grain = nn.Sequential(nn.Linear(n_in, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.pool = SetPool()
        self.head = nn.Sequential(nn.Linear(width + 1, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, grains, sizes):
        return self.head(self.pool(self.grain(grains), sizes)).squeeze(-1)

import torch
from torch import nn


class ShowerSet(nn.Module):
    """Permutation-invariant classifier of a set of calorimeter hits."""

    def __init__(self, feats=3, width=48, kinds=3):
        super().__init__()
        self.phi = nn.Sequential(nn.Linear(feats, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.rho = nn.Sequential(nn.Linear(2 * width, width), nn.ReLU(), nn.Dropout(0.1), nn.Linear(width, kinds))

    def forward(self, hits):
        h = self.phi(hits)
        return self.rho(torch.cat([h.mean(1), h.amax(1)], dim=-1))

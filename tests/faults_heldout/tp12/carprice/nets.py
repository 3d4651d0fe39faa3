import torch
from torch import nn


class PriceNet(nn.Module):
    def __init__(self, n_features, hidden=48, dropout=0.05):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(n_features, hidden), nn.ReLU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden), nn.ReLU(),
            nn.Linear(hidden, 1))

    def forward(self, x):
        return self.layers(x)


class SmoothL1(nn.Module):
    """Quadratic below beta, absolute error above."""

    def __init__(self, beta=0.5):
        super().__init__()
        self.beta = beta

    def forward(self, pred, target):
        diff = torch.abs(pred - target)
        small = 0.5 * diff ** 2 / self.beta
        return torch.where(diff < self.beta, small, diff - 0.5 * self.beta).mean()

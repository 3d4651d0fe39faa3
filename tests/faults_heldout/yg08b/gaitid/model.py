import torch
import torch.nn as nn
import torch.nn.functional as F


class GaitEncoder(nn.Module):
    def __init__(self, n_in, hidden=96, dim=16):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(n_in, hidden),
            nn.LayerNorm(hidden),
            nn.ReLU(),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Linear(hidden, dim),
        )

    def forward(self, x):
        return self.net(x)


def euclidean(a, b):
    return torch.sqrt(torch.sum((a - b) ** 2, dim=1))


class ContrastiveLoss(nn.Module):
    """Hadsell et al. 2006; label 1 for matching pairs."""

    def __init__(self, margin=2.0):
        super().__init__()
        self.margin = margin

    def forward(self, a, b, label):
        dist = euclidean(a, b)
        pos = label * dist.pow(2)
        neg = (1 - label) * F.relu(self.margin - dist).pow(2)
        return 0.5 * (pos + neg).mean()

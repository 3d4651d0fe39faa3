import torch
from torch import nn


class Encoder(nn.Sequential):
    def __init__(self, dim=16):
        super().__init__(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1, stride=2), nn.ReLU(),
            nn.Flatten(),
            nn.Linear(512, 64), nn.ReLU(),
            nn.Linear(64, dim),
        )


class ContrastiveLoss(nn.Module):
    """Hadsell, Chopra & LeCun (2006)"""

    def __init__(self, margin=1.5):
        super().__init__()
        self.margin = margin

    def forward(self, u, v, same):
        dist = torch.sqrt(((u - v) ** 2).sum(dim=1))
        pull = same * dist ** 2
        push = (1 - same) * (self.margin - dist).clamp(min=0) ** 2
        return 0.5 * (pull + push).mean()

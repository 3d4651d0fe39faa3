import torch
from torch import nn


class Encoder(nn.Module):
    """8x8 grey patch -> 16-d embedding."""

    def __init__(self, width=32, dim=16):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, width, 3, stride=2, padding=1), nn.ReLU(),
            nn.Flatten(), nn.Linear(width * 16, 64), nn.ReLU(),
        )
        self.proj = nn.Linear(64, dim)

    def forward(self, x):
        return self.proj(self.body(x))


def pair_distance(za, zb):
    return (za - zb).pow(2).sum(dim=1).sqrt()


def contrastive_loss(dist, same, margin):
    pull = same * dist.pow(2)
    push = (1 - same) * (margin - dist).clamp(min=0).pow(2)
    return (pull + push).mean()

import torch
from torch import nn


class Trunk(nn.Module):
    """1-D conv feature extractor for 3-axis accelerometer windows."""

    def __init__(self, width=24):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv1d(3, width, 7, stride=2, padding=3), nn.GroupNorm(4, width), nn.ReLU())
        self.mid = nn.Sequential(nn.Conv1d(width, width * 2, 5, stride=2, padding=2), nn.GroupNorm(4, width * 2), nn.ReLU())
        self.top = nn.Sequential(nn.Conv1d(width * 2, width * 2, 3, padding=1), nn.GroupNorm(4, width * 2), nn.ReLU())
        self.out_dim = width * 2

    def forward(self, x):
        return self.top(self.mid(self.stem(x))).mean(-1)


class ActivityNet(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.backbone = Trunk()
        self.head = nn.Linear(self.backbone.out_dim, n_classes)

    def forward(self, x):
        return self.head(self.backbone(x))

import torch
from torch import nn


class YawNet(nn.Module):
    """Per-hour features, pooled over the record."""

    def __init__(self, width=32):
        super().__init__()
        self.point = nn.Sequential(nn.Conv1d(3, width, 1), nn.ReLU(), nn.Conv1d(width, width, 1), nn.ReLU())
        self.head = nn.Sequential(nn.Linear(2 * width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, x):
        z = self.point(x)
        z = torch.cat([z.mean(-1), z.amax(-1)], dim=1)
        return self.head(z).squeeze(-1)

import torch
from torch import nn


class PointSetNet(nn.Module):
    def __init__(self, width=64, n_out=6):
        super().__init__()
        self.point = nn.Sequential(
            nn.Linear(3, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 2 * width)
        )
        self.head = nn.Sequential(nn.LayerNorm(4 * width), nn.Linear(4 * width, width), nn.ReLU(), nn.Linear(width, n_out))

    def forward(self, pts):
        h = self.point(pts)
        return self.head(torch.cat([h.mean(1), h.amax(1)], dim=1))

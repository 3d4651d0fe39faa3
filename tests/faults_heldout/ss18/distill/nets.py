import torch
from torch import nn


class PointNet(nn.Module):
    """Each point on its own, then the maximum and mean over the cloud, then a classifier."""

    def __init__(self, point_width, cloud_width, classes):
        super().__init__()
        p, c = point_width, cloud_width
        self.point = nn.Sequential(nn.Linear(3, p), nn.LayerNorm(p), nn.ReLU(), nn.Linear(p, c), nn.LayerNorm(c), nn.ReLU())
        self.cloud = nn.Sequential(nn.Linear(2 * c, p), nn.LayerNorm(p), nn.ReLU(), nn.Linear(p, classes))

    def forward(self, xy):
        xy = xy - xy.mean(1, keepdim=True)
        h = self.point(torch.cat([xy, xy.norm(dim=-1, keepdim=True)], -1))
        return self.cloud(torch.cat([h.amax(1), h.mean(1)], 1))

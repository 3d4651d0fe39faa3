import torch
from torch import nn


class PointNet(nn.Module):
    def __init__(self, classes, width=64):
        super().__init__()
        self.point = nn.Sequential(nn.Linear(3, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(),
                                   nn.Linear(width, width))
        self.head = nn.Sequential(nn.Linear(2 * width, width), nn.ReLU(), nn.Linear(width, classes))

    def forward(self, cloud):
        h = self.point(cloud)
        return self.head(torch.cat([h.amax(1), h.mean(1)], 1))

import torch
from torch import nn

from .mixture import MixtureHead


class IKNet(nn.Module):
    def __init__(self, width=96, components=4, dims=3):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.head = MixtureHead(width, components, dims)

    def forward(self, pose):
        heading = pose[:, 2:]
        x = torch.cat([pose[:, :2] / 0.6, heading.cos(), heading.sin()], -1)
        return self.head(self.trunk(x))

import torch
from torch import nn
import torch.nn.functional as F


class Encoder(nn.Module):
    """Fine detail at full resolution, surroundings at a quarter of it."""

    def __init__(self, detail=16, scene=32):
        super().__init__()
        self.detail = nn.Conv2d(1, detail, 3, padding=1)
        self.scene1 = nn.Conv2d(detail, scene, 3, padding=1, stride=2)
        self.scene2 = nn.Conv2d(scene, scene, 3, padding=1, stride=2)

    def forward(self, x):
        fine = F.relu(self.detail(x))
        mid = F.relu(self.scene1(fine))
        wide = F.relu(self.scene2(mid))
        return fine, wide


class SegNet(nn.Module):
    def __init__(self, detail=16, scene=32):
        super().__init__()
        self.encoder = Encoder(detail, scene)
        self.fuse = nn.Conv2d(detail + scene, 24, 3, padding=1)
        self.gate = nn.Linear(scene, 24)
        self.mask = nn.Conv2d(24, 1, 1)

    def forward(self, x):
        fine, wide = self.encoder(x)
        up = F.interpolate(wide, size=fine.shape[-2:], mode="nearest")
        h = F.relu(self.fuse(torch.cat([fine, up], 1)) + self.gate(wide.mean((2, 3)))[:, :, None, None])
        return self.mask(h)

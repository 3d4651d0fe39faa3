import torch.nn.functional as F
from torch import nn


class Encoder(nn.Module):
    def __init__(self, width=32, dim=96):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU())
        self.mid = nn.Sequential(nn.Conv2d(width, 2 * width, 3, stride=2, padding=1), nn.BatchNorm2d(2 * width), nn.ReLU())
        self.top = nn.Sequential(nn.Flatten(), nn.Linear(2 * width * 16, dim), nn.ReLU())
        self.dim = dim

    def forward(self, x):
        return self.top(self.mid(self.stem(x)))


class Projector(nn.Sequential):
    def __init__(self, dim, out=32):
        super().__init__(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, out))

    def forward(self, h):
        return F.normalize(super().forward(h), dim=1)

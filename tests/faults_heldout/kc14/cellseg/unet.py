import torch
from torch import nn
import torch.nn.functional as F


def double(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU(),
                         nn.Conv2d(o, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU())


class TinyUNet(nn.Module):
    def __init__(self, base=8):
        super().__init__()
        self.d1 = double(1, base)
        self.d2 = double(base, 2 * base)
        self.u1 = double(3 * base, base)
        self.head = nn.Conv2d(base, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        b = F.interpolate(b, scale_factor=2, mode="nearest")
        return self.head(self.u1(torch.cat([a, b], 1)))

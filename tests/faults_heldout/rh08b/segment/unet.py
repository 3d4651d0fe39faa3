import torch
import torch.nn.functional as F
from torch import nn


def conv(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU())


class SmallUNet(nn.Module):
    def __init__(self, base=8):
        super().__init__()
        self.d1, self.d2 = conv(1, base), conv(base, 2 * base)
        self.mid = conv(2 * base, 2 * base)
        self.u2, self.u1 = conv(4 * base, base), conv(2 * base, base)
        self.mask = nn.Conv2d(base, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        c = self.mid(F.max_pool2d(b, 2))
        b = self.u2(torch.cat([b, F.interpolate(c, scale_factor=2.0)], 1))
        a = self.u1(torch.cat([a, F.interpolate(b, scale_factor=2.0)], 1))
        return self.mask(a)

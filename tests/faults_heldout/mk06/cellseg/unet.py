import torch
from torch import nn
from torch.nn import functional as F


def double(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
        nn.Conv2d(cout, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self, base=8):
        super().__init__()
        self.d1, self.d2, self.d3 = double(1, base), double(base, 2 * base), double(2 * base, 4 * base)
        self.u2, self.u1 = double(6 * base, 2 * base), double(3 * base, base)
        self.out = nn.Conv2d(base, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        c = self.d3(F.max_pool2d(b, 2))
        b = self.u2(torch.cat([b, F.interpolate(c, scale_factor=2.0)], 1))
        a = self.u1(torch.cat([a, F.interpolate(b, scale_factor=2.0)], 1))
        return self.out(a)

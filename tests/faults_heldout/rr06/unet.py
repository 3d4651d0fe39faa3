import torch
import torch.nn as nn
import torch.nn.functional as F


class DoubleConv(nn.Sequential):
    def __init__(self, cin, cout):
        super().__init__(
            nn.Conv2d(cin, cout, 3, padding=1), nn.GroupNorm(4, cout), nn.LeakyReLU(0.1),
            nn.Conv2d(cout, cout, 3, padding=1), nn.GroupNorm(4, cout), nn.LeakyReLU(0.1),
        )


class TinyUNet(nn.Module):
    def __init__(self, base=8):
        super().__init__()
        self.d1 = DoubleConv(1, base)
        self.d2 = DoubleConv(base, base * 2)
        self.mid = DoubleConv(base * 2, base * 4)
        self.u2 = DoubleConv(base * 6, base * 2)
        self.u1 = DoubleConv(base * 3, base)
        self.out = nn.Conv2d(base, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        c = self.mid(F.max_pool2d(b, 2))
        b = self.u2(torch.cat([F.interpolate(c, scale_factor=2), b], 1))
        a = self.u1(torch.cat([F.interpolate(b, scale_factor=2), a], 1))
        return self.out(a)

import torch
from torch import nn


def double_conv(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1), nn.GroupNorm(4, cout), nn.ReLU(),
        nn.Conv2d(cout, cout, 3, padding=1), nn.GroupNorm(4, cout), nn.ReLU(),
    )


class SmallUNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        w = width
        self.e1, self.e2, self.mid = double_conv(1, w), double_conv(w, 2 * w), double_conv(2 * w, 4 * w)
        self.pool = nn.MaxPool2d(2)
        self.up2 = nn.ConvTranspose2d(4 * w, 2 * w, 2, stride=2)
        self.d2 = double_conv(4 * w, 2 * w)
        self.up1 = nn.ConvTranspose2d(2 * w, w, 2, stride=2)
        self.d1 = double_conv(2 * w, w)
        self.out = nn.Conv2d(w, 1, 1)

    def forward(self, x):
        s1 = self.e1(x)
        s2 = self.e2(self.pool(s1))
        z = self.mid(self.pool(s2))
        z = self.d2(torch.cat([self.up2(z), s2], 1))
        z = self.d1(torch.cat([self.up1(z), s1], 1))
        return self.out(z)

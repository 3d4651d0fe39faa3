import torch
from torch import nn


def conv(i, o):
    return nn.Sequential(
        nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU(inplace=True),
        nn.Conv2d(o, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU(inplace=True),
    )


class SmallUNet(nn.Module):
    def __init__(self, base=8):
        super().__init__()
        self.enc1, self.enc2, self.mid = conv(1, base), conv(base, 2 * base), conv(2 * base, 4 * base)
        self.dec2, self.dec1 = conv(6 * base, 2 * base), conv(3 * base, base)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.out = nn.Conv2d(base, 1, 1)

    def forward(self, x):
        a = self.enc1(x)
        b = self.enc2(self.pool(a))
        c = self.mid(self.pool(b))
        b = self.dec2(torch.cat([self.up(c), b], 1))
        a = self.dec1(torch.cat([self.up(b), a], 1))
        return self.out(a)

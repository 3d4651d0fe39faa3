import torch
from torch import nn


def conv(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.SiLU())


class SmallUNet(nn.Module):
    def __init__(self, w):
        super().__init__()
        self.enc1 = conv(1, w)
        self.enc2 = conv(w, 2 * w)
        self.mid = conv(2 * w, 2 * w)
        self.up = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=False)
        self.dec = conv(3 * w, w)
        self.out = nn.Conv2d(w, 1, 1)

    def forward(self, x):
        a = self.enc1(x)
        b = self.mid(self.enc2(nn.functional.max_pool2d(a, 2)))
        return self.out(self.dec(torch.cat([a, self.up(b)], 1)))

import torch
import torch.nn as nn
import torch.nn.functional as F


def double(a, b):
    return nn.Sequential(
        nn.Conv2d(a, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU(inplace=True),
        nn.Conv2d(b, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU(inplace=True),
    )


class MiniUNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.down1 = double(1, width)
        self.down2 = double(width, width * 2)
        self.mid = double(width * 2, width * 4)
        self.up2 = double(width * 6, width * 2)
        self.up1 = double(width * 3, width)
        self.final = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        c = self.mid(F.max_pool2d(b, 2))
        c = self.up2(torch.cat([F.interpolate(c, scale_factor=2.0), b], 1))
        c = self.up1(torch.cat([F.interpolate(c, scale_factor=2.0), a], 1))
        return self.final(c)

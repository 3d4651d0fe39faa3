import torch
import torch.nn.functional as F
from torch import nn


class Pair(nn.Module):
    def __init__(self, i, o, drop):
        super().__init__()
        self.seq = nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU(),
                                 nn.Dropout(drop),
                                 nn.Conv2d(o, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU())

    def forward(self, x):
        return self.seq(x)


class UNet(nn.Module):
    def __init__(self, opt):
        super().__init__()
        w, drop = opt.width, opt.keep_prob
        self.down1, self.down2 = Pair(1, w, drop), Pair(w, 2 * w, drop)
        self.mid = Pair(2 * w, 4 * w, drop)
        self.up2, self.up1 = Pair(6 * w, 2 * w, drop), Pair(3 * w, w, drop)
        self.out = nn.Conv2d(w, 1, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        m = self.mid(F.max_pool2d(b, 2))
        b = self.up2(torch.cat([F.interpolate(m, scale_factor=2), b], 1))
        a = self.up1(torch.cat([F.interpolate(b, scale_factor=2), a], 1))
        return self.out(a)

import torch
import torch.nn as nn


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU(inplace=True))


class MiniUNet(nn.Module):
    def __init__(self, w=12):
        super().__init__()
        self.d1 = block(1, w)
        self.d2 = block(w, 2 * w)
        self.mid = block(2 * w, 2 * w)
        self.u1 = block(4 * w, w)
        self.u2 = block(2 * w, w)
        self.head = nn.Conv2d(w, 1, 1)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(self.pool(a))
        c = self.mid(self.pool(b))
        b = self.u1(torch.cat([self.up(c), b], 1))
        a = self.u2(torch.cat([self.up(b), a], 1))
        return self.head(a)

import torch
from torch import nn


def double(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1), nn.GroupNorm(4, c_out), nn.LeakyReLU(0.1),
        nn.Conv2d(c_out, c_out, 3, padding=1), nn.GroupNorm(4, c_out), nn.LeakyReLU(0.1),
    )


class SmallUNet(nn.Module):
    def __init__(self, w=8):
        super().__init__()
        self.down1, self.down2, self.mid = double(1, w), double(w, 2 * w), double(2 * w, 4 * w)
        self.pool = nn.MaxPool2d(2)
        self.up2 = nn.ConvTranspose2d(4 * w, 2 * w, 2, stride=2)
        self.dec2 = double(4 * w, 2 * w)
        self.up1 = nn.ConvTranspose2d(2 * w, w, 2, stride=2)
        self.dec1 = double(2 * w, w)
        self.out = nn.Conv2d(w, 1, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(self.pool(a))
        c = self.mid(self.pool(b))
        d = self.dec2(torch.cat([self.up2(c), b], 1))
        e = self.dec1(torch.cat([self.up1(d), a], 1))
        return self.out(e)

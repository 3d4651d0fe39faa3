import torch
from torch import nn


def conv(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1, bias=False),
        nn.GroupNorm(4, c_out),
        nn.ReLU(inplace=True),
    )


class SmallUNet(nn.Module):
    def __init__(self, base=8):
        super().__init__()
        self.enc1 = conv(1, base)
        self.enc2 = conv(base, 2 * base)
        self.mid = conv(2 * base, 4 * base)
        self.pool = nn.MaxPool2d(2)
        self.up2 = nn.ConvTranspose2d(4 * base, 2 * base, 2, stride=2)
        self.dec2 = conv(4 * base, 2 * base)
        self.up1 = nn.ConvTranspose2d(2 * base, base, 2, stride=2)
        self.dec1 = conv(2 * base, base)
        self.last = nn.Conv2d(base, 1, 1)

    def forward(self, x):
        a = self.enc1(x)
        b = self.enc2(self.pool(a))
        c = self.mid(self.pool(b))
        d = self.dec2(torch.cat([self.up2(c), b], 1))
        e = self.dec1(torch.cat([self.up1(d), a], 1))
        return self.last(e)

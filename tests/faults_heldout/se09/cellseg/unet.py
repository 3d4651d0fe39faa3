import torch
from torch import nn


def block(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1, bias=False), nn.GroupNorm(4, c_out), nn.SiLU(),
        nn.Conv2d(c_out, c_out, 3, padding=1, bias=False), nn.GroupNorm(4, c_out), nn.SiLU(),
    )


class UNet(nn.Module):
    def __init__(self, base=8):
        super().__init__()
        self.enc1, self.enc2, self.mid = block(1, base), block(base, base * 2), block(base * 2, base * 4)
        self.pool = nn.MaxPool2d(2)
        self.up2 = nn.ConvTranspose2d(base * 4, base * 2, 2, stride=2)
        self.dec2 = block(base * 4, base * 2)
        self.up1 = nn.ConvTranspose2d(base * 2, base, 2, stride=2)
        self.dec1 = block(base * 2, base)
        self.head = nn.Conv2d(base, 1, 1)

    def forward(self, x):
        a = self.enc1(x)
        b = self.enc2(self.pool(a))
        m = self.mid(self.pool(b))
        b = self.dec2(torch.cat([self.up2(m), b], dim=1))
        a = self.dec1(torch.cat([self.up1(b), a], dim=1))
        return self.head(a)

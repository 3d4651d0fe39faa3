import torch
from torch import nn


def block(a, b):
    return nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.GroupNorm(4, b), nn.SiLU(),
                         nn.Conv2d(b, b, 3, padding=1), nn.GroupNorm(4, b), nn.SiLU())


class UNet(nn.Module):
    def __init__(self, w):
        super().__init__()
        self.enc1, self.enc2 = block(1, w), block(w, 2 * w)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.ConvTranspose2d(2 * w, w, 2, stride=2)
        self.dec = block(2 * w, w)
        self.out = nn.Conv2d(w, 1, 1)

    def forward(self, x):
        a = self.enc1(x)
        b = self.enc2(self.pool(a))
        return self.out(self.dec(torch.cat([self.up(b), a], 1)))

import torch
import torch.nn as nn


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.GroupNorm(4, cout), nn.LeakyReLU(0.1),
                         nn.Conv2d(cout, cout, 3, padding=1, bias=False), nn.GroupNorm(4, cout), nn.LeakyReLU(0.1))


class UNet(nn.Module):
    def __init__(self, base=8):
        super().__init__()
        self.d1, self.d2, self.mid = block(1, base), block(base, 2 * base), block(2 * base, 4 * base)
        self.up2 = nn.ConvTranspose2d(4 * base, 2 * base, 2, stride=2)
        self.u2 = block(4 * base, 2 * base)
        self.up1 = nn.ConvTranspose2d(2 * base, base, 2, stride=2)
        self.u1 = block(2 * base, base)
        self.head = nn.Conv2d(base, 1, 1)
        self.pool = nn.MaxPool2d(2)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(self.pool(a))
        c = self.mid(self.pool(b))
        y = self.u2(torch.cat([self.up2(c), b], dim=1))
        y = self.u1(torch.cat([self.up1(y), a], dim=1))
        return self.head(y)

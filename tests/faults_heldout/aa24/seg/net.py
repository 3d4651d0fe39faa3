import torch
from torch import nn


def conv2(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
        nn.Conv2d(cout, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
    )


class SmallUNet(nn.Module):
    def __init__(self, n_classes, base=12):
        super().__init__()
        self.down1, self.down2, self.bottom = conv2(1, base), conv2(base, 2 * base), conv2(2 * base, 3 * base)
        self.up2, self.up1 = conv2(5 * base, 2 * base), conv2(3 * base, base)
        self.pool, self.grow = nn.MaxPool2d(2), nn.Upsample(scale_factor=2, mode="bilinear")
        self.last = nn.Conv2d(base, n_classes, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(self.pool(a))
        c = self.bottom(self.pool(b))
        b = self.up2(torch.cat([self.grow(c), b], 1))
        return self.last(self.up1(torch.cat([self.grow(b), a], 1)))

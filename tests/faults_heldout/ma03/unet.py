import torch
from torch import nn


def double(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.GroupNorm(4, cout), nn.ReLU(),
                         nn.Conv2d(cout, cout, 3, padding=1), nn.GroupNorm(4, cout), nn.ReLU())


class TinyUNet(nn.Module):
    def __init__(self, classes, w):
        super().__init__()
        self.enc1, self.enc2 = double(1, w), double(w, 2 * w)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.ConvTranspose2d(2 * w, w, 2, stride=2)
        self.dec = double(2 * w, w)
        self.out = nn.Conv2d(w, classes, 1)

    def forward(self, x):
        a = self.enc1(x)
        b = self.enc2(self.pool(a))
        return self.out(self.dec(torch.cat([a, self.up(b)], 1)))

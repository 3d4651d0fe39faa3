import torch
from torch import nn


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.GroupNorm(4, cout), nn.SiLU())


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.stage1 = nn.Sequential(block(1, width), block(width, width), nn.MaxPool2d(2))
        self.stage2 = nn.Sequential(block(width, 2 * width), block(2 * width, 2 * width))
        self.dim = 2 * width

    def forward(self, x):
        return self.stage2(self.stage1(x)).mean((2, 3))


class DigitNet(nn.Module):
    def __init__(self, width=24, classes=10):
        super().__init__()
        self.encoder = Encoder(width)
        self.classifier = nn.Linear(self.encoder.dim, classes)

    def forward(self, x):
        return self.classifier(self.encoder(x))

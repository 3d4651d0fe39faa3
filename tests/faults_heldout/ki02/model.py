import torch.nn as nn


class ConvBlock(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(cout)
        self.act = nn.SiLU()

    def forward(self, x):
        return self.act(self.norm(self.conv(x)))


class DigitNet(nn.Module):
    def __init__(self, width=16, classes=10):
        super().__init__()
        self.stem = ConvBlock(1, width)
        self.mid = nn.Sequential(ConvBlock(width, 2 * width), nn.MaxPool2d(2), ConvBlock(2 * width, 2 * width))
        self.head = nn.Linear(2 * width * 16, classes)

    def forward(self, x):
        return self.head(self.mid(self.stem(x)).flatten(1))

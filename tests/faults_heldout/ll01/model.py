import torch.nn as nn
import torch.nn.functional as F


class ConvBlock(nn.Module):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, stride=stride, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(cout)

    def forward(self, x):
        return F.relu(self.bn(self.conv(x)))


class SmallConvNet(nn.Module):
    def __init__(self, width=24, dropout=0.25, n_classes=10):
        super().__init__()
        self.stem = ConvBlock(1, width)
        self.down = ConvBlock(width, 2 * width, stride=2)
        self.mix = ConvBlock(2 * width, 2 * width)
        self.drop = nn.Dropout(dropout)
        self.head = nn.Linear(2 * width * 4, n_classes)

    def forward(self, x):
        x = self.mix(self.down(self.stem(x)))
        x = F.max_pool2d(x, 2)
        return self.head(self.drop(x.flatten(1)))

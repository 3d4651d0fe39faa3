import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, c_in, c_out):
        super().__init__()
        self.conv = nn.Conv2d(c_in, c_out, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(c_out)

    def forward(self, x):
        return torch.relu(self.bn(self.conv(x)))


class DigitNet(nn.Module):
    def __init__(self, width=16, dropout=0.2, classes=10):
        super().__init__()
        self.features = nn.Sequential(
            Block(1, width), Block(width, width), nn.MaxPool2d(2),
            Block(width, 2 * width), Block(2 * width, 2 * width), nn.MaxPool2d(2))
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(dropout), nn.Linear(2 * width * 4, classes))

    def forward(self, x):
        return self.head(self.features(x))

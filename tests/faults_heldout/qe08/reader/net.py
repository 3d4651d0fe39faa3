from torch import nn


def block(a, b):
    return nn.Sequential(nn.Conv2d(a, b, 3, padding=1, bias=False), nn.BatchNorm2d(b), nn.ReLU())


class Reader(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.body = nn.Sequential(block(1, 24), block(24, 24), nn.MaxPool2d(2), block(24, 48), nn.MaxPool2d(2))
        self.head = nn.Linear(48 * 4, classes)

    def forward(self, x):
        return self.head(self.body(x).flatten(1))

import torch.nn as nn


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU())


class MeterNet(nn.Module):
    """Reads a single wheel of a gas meter."""

    def __init__(self, n_classes=10):
        super().__init__()
        self.stem = block(1, 16)
        self.body = nn.Sequential(block(16, 24), nn.MaxPool2d(2), block(24, 32), nn.MaxPool2d(2))
        self.fc = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(32 * 4, n_classes))

    def forward(self, img):
        return self.fc(self.body(self.stem(img)))

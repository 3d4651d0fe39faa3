import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.proj = nn.Linear(32 * 2 * 2, dim)
        self.act = nn.ReLU()

    def forward(self, x):
        x = self.pool(self.act(self.conv1(x)))
        x = self.pool(self.act(self.conv2(x)))
        return self.act(self.proj(x.flatten(1)))


class DigitNet(nn.Module):
    def __init__(self, classes=10, dim=48):
        super().__init__()
        self.encoder = Encoder(dim)
        self.classifier = nn.Linear(dim, classes)

    def forward(self, x):
        return self.classifier(self.encoder(x))

import torch.nn as nn


class Residual(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.f = nn.Sequential(nn.GroupNorm(4, ch), nn.ReLU(), nn.Conv2d(ch, ch, 3, padding=1),
                               nn.GroupNorm(4, ch), nn.ReLU(), nn.Conv2d(ch, ch, 3, padding=1))
        nn.init.zeros_(self.f[-1].weight)
        nn.init.zeros_(self.f[-1].bias)

    def forward(self, x):
        return x + self.f(x)


class DigitNet(nn.Module):
    def __init__(self, width=24, dropout=0.1, classes=10):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(1, width, 3, padding=1), Residual(width),
                                   nn.Conv2d(width, 2 * width, 3, stride=2, padding=1), Residual(2 * width))
        self.head = nn.Sequential(nn.GroupNorm(4, 2 * width), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(),
                                  nn.Dropout(dropout), nn.Linear(8 * width, classes))

    def forward(self, x):
        return self.head(self.trunk(x))

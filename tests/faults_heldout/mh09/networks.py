import torch.nn as nn


def conv(i, o, stride=1, groups=1):
    return nn.Sequential(
        nn.Conv2d(i, o, 3, stride=stride, padding=1, groups=groups, bias=False),
        nn.BatchNorm2d(o),
        nn.ReLU(inplace=True),
    )


class Teacher(nn.Module):
    def __init__(self, n_classes=10):
        super().__init__()
        self.features = nn.Sequential(conv(1, 20), conv(20, 28, 2), conv(28, 36), conv(36, 36, 2), nn.AdaptiveAvgPool2d(1))
        self.head = nn.Linear(36, n_classes)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


class Student(nn.Module):
    """Depthwise-separable network."""

    def __init__(self, channels, n_classes=10):
        super().__init__()
        c0, c1, c2 = channels
        self.features = nn.Sequential(
            conv(1, c0),
            conv(c0, c0, 2, groups=c0), nn.Conv2d(c0, c1, 1),
            conv(c1, c1, groups=c1), nn.Conv2d(c1, c2, 1), nn.ReLU(inplace=True),
            nn.AdaptiveAvgPool2d(2),
        )
        self.head = nn.Linear(4 * c2, n_classes)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))

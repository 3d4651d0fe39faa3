from torch import nn


def block(a, b, k):
    return nn.Sequential(nn.Conv1d(a, b, k, padding=k // 2), nn.BatchNorm1d(b), nn.ReLU(), nn.MaxPool1d(2))


class BearingNet(nn.Sequential):
    def __init__(self, classes=3, width=12):
        super().__init__(
            block(1, width, 7),
            block(width, width * 2, 5),
            block(width * 2, width * 2, 3),
            nn.AdaptiveMaxPool1d(1),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(width * 2, classes),
        )

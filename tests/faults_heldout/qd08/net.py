from torch import nn


def conv(i, o, k, stride):
    return nn.Sequential(nn.Conv1d(i, o, k, stride=stride, padding=k // 2, bias=False), nn.BatchNorm1d(o), nn.ReLU())


class ActivityNet(nn.Module):
    def __init__(self, classes=6):
        super().__init__()
        self.stem = conv(3, 32, 5, 1)
        self.mid = nn.Sequential(conv(32, 48, 5, 2), conv(48, 64, 5, 2))
        self.pool = nn.AdaptiveAvgPool1d(1)
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(64, classes))

    def forward(self, x):
        return self.head(self.pool(self.mid(self.stem(x))))

from torch import nn


def conv(i, o, k):
    return nn.Sequential(nn.Conv1d(i, o, k, padding=k // 2), nn.BatchNorm1d(o), nn.ReLU(), nn.MaxPool1d(2))


class BeatNet(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.body = nn.Sequential(conv(1, 8, 9), conv(8, 16, 7), conv(16, 16, 5))
        self.pool = nn.AdaptiveAvgPool1d(6)
        self.fc = nn.Linear(96, n_classes)

    def forward(self, x):
        return self.fc(self.pool(self.body(x)).flatten(1))

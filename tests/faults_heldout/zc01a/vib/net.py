from torch import nn


def conv(i, o, k, s):
    return nn.Sequential(nn.Conv1d(i, o, k, stride=s, padding=k // 2, bias=False), nn.BatchNorm1d(o), nn.ReLU())


class SnapshotNet(nn.Module):
    def __init__(self, n_axes=2, n_classes=4, width=16):
        super().__init__()
        self.body = nn.Sequential(conv(n_axes, width, 9, 1), conv(width, width * 2, 5, 2), conv(width * 2, width * 2, 5, 2))
        self.pool = nn.AdaptiveMaxPool1d(2)
        self.head = nn.Linear(width * 4, n_classes)

    def forward(self, x):
        return self.head(self.pool(self.body(x)).flatten(1))

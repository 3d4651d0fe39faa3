from torch import nn


def block(i, o, stride=1):
    return nn.Sequential(nn.Conv1d(i, o, 5, stride=stride, padding=2, bias=False),
                         nn.BatchNorm1d(o), nn.ReLU())


class WristNet(nn.Module):
    def __init__(self, n_classes=5):
        super().__init__()
        self.features = nn.Sequential(block(3, 16), block(16, 24, 2), block(24, 32, 2))
        self.pool = nn.AdaptiveAvgPool1d(1)
        self.fc = nn.Linear(32, n_classes)

    def forward(self, x):
        return self.fc(self.pool(self.features(x)).flatten(1))

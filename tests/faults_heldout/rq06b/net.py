from torch import nn


def stage(cin, cout, k, stride):
    return nn.Sequential(nn.Conv1d(cin, cout, k, stride, k // 2), nn.GroupNorm(4, cout), nn.SiLU())


class ConditionNet(nn.Module):
    def __init__(self, classes, width, dropout):
        super().__init__()
        self.trunk = nn.Sequential(
            stage(1, width, 9, 2),
            stage(width, width, 7, 2),
            stage(width, 2 * width, 5, 2),
            nn.AdaptiveAvgPool1d(1), nn.Flatten())
        self.head = nn.Sequential(nn.Dropout(dropout), nn.Linear(2 * width, classes))

    def forward(self, x):
        return self.head(self.trunk(x))

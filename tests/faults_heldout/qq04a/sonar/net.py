import torch.nn as nn


def stage(cin, cout, kernel, pool):
    return nn.Sequential(
        nn.Conv1d(cin, cout, kernel, padding=kernel // 2, bias=False),
        nn.BatchNorm1d(cout),
        nn.ReLU(),
        nn.MaxPool1d(pool),
    )


class SonarNet(nn.Module):
    def __init__(self, channels, classes, dropout):
        super().__init__()
        c = channels
        self.features = nn.Sequential(stage(1, c, 9, 2), stage(c, 2 * c, 7, 3), stage(2 * c, 2 * c, 5, 4))
        self.classify = nn.Sequential(nn.Flatten(), nn.Dropout(dropout), nn.Linear(2 * c * 8, classes))

    def forward(self, x):
        return self.classify(self.features(x))

from torch import nn


class VibrationNet(nn.Module):
    def __init__(self, n_classes, width=16, p=0.3):
        super().__init__()

        def stage(cin, cout, k):
            return nn.Sequential(nn.Conv1d(cin, cout, k, stride=2, padding=k // 2, bias=False),
                                 nn.BatchNorm1d(cout), nn.ReLU())

        self.features = nn.Sequential(stage(1, width, 9), stage(width, 2 * width, 5), stage(2 * width, 2 * width, 5))
        self.pool = nn.AdaptiveAvgPool1d(4)
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(8 * width, 32), nn.BatchNorm1d(32), nn.ReLU(),
                                  nn.Dropout(p), nn.Linear(32, n_classes))

    def forward(self, x):
        return self.head(self.pool(self.features(x)))

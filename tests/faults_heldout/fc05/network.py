from torch import nn


def conv_block(cin, cout, k, p):
    return nn.Sequential(
        nn.Conv1d(cin, cout, k, padding=k // 2, bias=False),
        nn.BatchNorm1d(cout),
        nn.ReLU(inplace=True),
        nn.MaxPool1d(p),
    )


class VibrationNet(nn.Module):
    def __init__(self, n_classes, width=16, drop=0.3):
        super().__init__()
        self.features = nn.Sequential(
            conv_block(1, width, 9, 4),
            conv_block(width, 2 * width, 7, 4),
            conv_block(2 * width, 2 * width, 5, 2),
        )
        self.head = nn.Sequential(
            nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Dropout(drop), nn.Linear(2 * width, n_classes)
        )

    def forward(self, x):
        return self.head(self.features(x))

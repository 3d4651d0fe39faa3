from torch import nn


class DigitNet(nn.Module):
    def __init__(self, width=16, hidden=64, drop=0.1, classes=10):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, width * 2, 3, padding=1), nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(width * 2, width * 2, 3, padding=1), nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.head = nn.Sequential(
            nn.Flatten(), nn.Linear(width * 2 * 4, hidden), nn.ReLU(),
            nn.Dropout(drop), nn.Linear(hidden, classes))

    def forward(self, x):
        return self.head(self.features(x))

from torch import nn


class Finder(nn.Module):
    def __init__(self, channels):
        super().__init__()
        c = channels
        self.features = nn.Sequential(
            nn.Conv2d(1, c, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(c, 2 * c, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(2 * c, 2 * c, 3, padding=1), nn.ReLU(),
        )
        self.box = nn.Sequential(nn.Flatten(), nn.Linear(2 * c * 49, 64), nn.ReLU(), nn.Linear(64, 4))

    def forward(self, x):
        return self.box(self.features(x))

from torch import nn


class PointSetNet(nn.Module):
    """DeepSets over 2-D contour points: per-point features, max over points, then a head."""

    def __init__(self, classes, width=64, p=0.9):
        super().__init__()
        self.phi = nn.Sequential(
            nn.Linear(2, width), nn.ReLU(), nn.Dropout(p),
            nn.Linear(width, width), nn.ReLU(), nn.Dropout(p),
            nn.Linear(width, width), nn.ReLU(),
        )
        self.rho = nn.Sequential(
            nn.Dropout(p), nn.Linear(width, width), nn.ReLU(),
            nn.Dropout(p), nn.Linear(width, classes),
        )

    def forward(self, pts):
        return self.rho(self.phi(pts).max(1).values)

from torch import nn


class GridDetector(nn.Module):
    """Stride-4 conv backbone with an objectness map and a size map."""

    def __init__(self, width=24):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, width, 3, stride=2, padding=1), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, 2 * width, 3, stride=2, padding=1), nn.BatchNorm2d(2 * width), nn.ReLU(),
            nn.Conv2d(2 * width, 2 * width, 3, padding=1), nn.ReLU(),
        )
        self.objectness = nn.Conv2d(2 * width, 1, 1)
        self.size = nn.Conv2d(2 * width, 1, 1)

    def forward(self, x):
        f = self.backbone(x)
        return self.objectness(f).squeeze(1), self.size(f).squeeze(1)

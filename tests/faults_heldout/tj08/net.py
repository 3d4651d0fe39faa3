from torch import nn


class VibrationNet(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv1d(1, 12, 7, stride=2, padding=3), nn.GroupNorm(3, 12), nn.ReLU(),
            nn.Conv1d(12, 24, 5, stride=2, padding=2), nn.GroupNorm(4, 24), nn.ReLU(),
            nn.Conv1d(24, 32, 3, padding=1), nn.GroupNorm(4, 32), nn.ReLU(),
            nn.AdaptiveAvgPool1d(1), nn.Flatten(),
        )
        self.head = nn.Linear(32, n_classes)

    def forward(self, x):
        return self.head(self.backbone(x))

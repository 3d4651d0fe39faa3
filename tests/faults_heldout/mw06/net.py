import torch.nn as nn


class DigitNet(nn.Module):
    def __init__(self, n_classes=10):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.GroupNorm(4, 16), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1), nn.GroupNorm(4, 32), nn.ReLU(), nn.MaxPool2d(2),
        )
        self.neck = nn.Sequential(nn.Flatten(), nn.Linear(32 * 16, 32), nn.ReLU())
        self.head = nn.Linear(32, n_classes)

    def forward(self, x):
        return self.head(self.neck(self.backbone(x)))

import torch.nn as nn


class DigitNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
            nn.Conv2d(16, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(), nn.MaxPool2d(2),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(24 * 16, 48), nn.ReLU(), nn.Dropout(0.2), nn.Linear(48, 10))

    def forward(self, x):
        return self.head(self.backbone(x))

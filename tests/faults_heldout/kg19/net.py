import torch.nn as nn


class ScanNet(nn.Module):
    def __init__(self, classes=10, w=24):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, w, 3, padding=1), nn.GroupNorm(4, w), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(w, 2 * w, 3, padding=1), nn.GroupNorm(4, 2 * w), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())
        self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(2 * w * 4, 64), nn.ReLU(), nn.Linear(64, classes))

    def forward(self, x):
        return self.classifier(self.features(x))

import torch.nn as nn


class ConvBackbone(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, width, 3, padding=1), nn.GroupNorm(4, width), nn.ReLU())
        self.body = nn.Sequential(
            nn.Conv2d(width, width, 3, padding=1), nn.GroupNorm(4, width), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1), nn.GroupNorm(4, 2 * width), nn.ReLU(),
            nn.Conv2d(2 * width, 2 * width, 3, padding=1), nn.GroupNorm(4, 2 * width), nn.ReLU(),
        )
        self.neck = nn.Sequential(nn.Flatten(), nn.Linear(2 * width * 16, 64), nn.ReLU())

    def forward(self, x):
        return self.neck(self.body(self.stem(x)))


class Classifier(nn.Module):
    def __init__(self, n_classes, width=24):
        super().__init__()
        self.backbone = ConvBackbone(width)
        self.head = nn.Linear(64, n_classes)

    def forward(self, x):
        return self.head(self.backbone(x))

import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(),
            nn.Conv2d(24, 48, 3, padding=1), nn.BatchNorm2d(48), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(48 * 16, dim), nn.ReLU(),
        )
        self.dim = dim

    def forward(self, x):
        return self.features(x)


class Transfer(nn.Module):
    """Fixed feature extractor with a small trainable classifier."""

    def __init__(self, backbone, classes):
        super().__init__()
        self.backbone = backbone
        for p in self.backbone.parameters():
            p.requires_grad = False
        self.classifier = nn.Sequential(nn.Linear(backbone.dim, 32), nn.ReLU(), nn.Linear(32, classes))

    def train(self, mode=True):
        super().train(mode)
        self.backbone.eval()        # keep the source running statistics
        return self

    def forward(self, x):
        with torch.no_grad():
            z = self.backbone(x)
        return self.classifier(z)

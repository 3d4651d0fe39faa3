import torch.nn as nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(),
            nn.Conv2d(24, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 40, 3, padding=1), nn.BatchNorm2d(40), nn.ReLU(), nn.MaxPool2d(2))
        self.width = 40 * 4

    def forward(self, x):
        return self.layers(x).flatten(1)

from torch import nn


class ConvBackbone(nn.Module):
    dim = 48

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(),
            nn.Conv2d(24, 32, 3, 2, 1), nn.BatchNorm2d(32), nn.ReLU(),
            nn.Conv2d(32, 48, 3, 2, 1), nn.BatchNorm2d(48), nn.ReLU(),
            nn.AdaptiveMaxPool2d(1), nn.Flatten(),
        )

    def forward(self, x):
        return self.layers(x)

import torch.nn as nn

from .blocks import conv_unit, reset_parameters


class DigitNet(nn.Module):
    def __init__(self, width=16, n_classes=10):
        super().__init__()
        self.features = nn.Sequential(
            conv_unit(1, width),
            conv_unit(width, 2 * width, stride=2),
            conv_unit(2 * width, 2 * width),
        )
        self.neck = nn.Sequential(nn.Flatten(), nn.Linear(2 * width * 16, 64), nn.ReLU())
        self.head = nn.Linear(64, n_classes)
        self.features.apply(reset_parameters)
        self.neck.apply(reset_parameters)

    def forward(self, x):
        return self.head(self.neck(self.features(x)))

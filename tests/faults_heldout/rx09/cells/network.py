import torch.nn as nn


class ConvUnit(nn.Sequential):
    def __init__(self, cin, cout):
        super().__init__(nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True))


class PatchNet(nn.Module):
    def __init__(self, n_types, width=16, drop=0.5):
        super().__init__()
        self.trunk = nn.Sequential(
            ConvUnit(1, width),
            ConvUnit(width, width),
            nn.MaxPool2d(2),
            ConvUnit(width, 2 * width),
            ConvUnit(2 * width, 2 * width),
            nn.MaxPool2d(2),
        )
        self.head = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(drop),
            nn.Linear(2 * width * 9, 64),
            nn.ReLU(inplace=True),
            nn.Dropout(drop),
            nn.Linear(64, n_types),
        )

    def forward(self, x):
        return self.head(self.trunk(x))

from torch import nn


class DigitNet(nn.Module):
    def __init__(self, channels, hidden, n_classes=10):
        super().__init__()
        layers = []
        c_in = 1
        for c in channels:
            layers += [nn.Conv2d(c_in, c, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)]
            c_in = c
        self.features = nn.Sequential(*layers)
        side = 8 // 2 ** len(channels)
        self.classifier = nn.Sequential(
            nn.Flatten(),
            nn.Linear(c_in * side * side, hidden),
            nn.ReLU(),
            nn.Linear(hidden, n_classes),
        )

    def forward(self, x):
        return self.classifier(self.features(x))

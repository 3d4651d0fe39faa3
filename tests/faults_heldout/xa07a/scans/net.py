from torch import nn


class SmallCNN(nn.Module):
    def __init__(self, classes=10, c=12):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, c, 3, padding=1), nn.BatchNorm2d(c), nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(c, 2 * c, 3, padding=1), nn.BatchNorm2d(2 * c), nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.classifier = nn.Linear(2 * c * 4, classes)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))

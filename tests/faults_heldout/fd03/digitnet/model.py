from torch import nn


def block(c_in, c_out):
    return nn.Sequential(nn.Conv2d(c_in, c_out, 3, padding=1, bias=False), nn.BatchNorm2d(c_out), nn.ReLU(inplace=True))


class DigitNet(nn.Module):
    def __init__(self, width=24, n_classes=10):
        super().__init__()
        self.features = nn.Sequential(
            block(1, width),
            block(width, width),
            nn.MaxPool2d(2),
            block(width, 2 * width),
            nn.AdaptiveAvgPool2d(2),
        )
        self.classifier = nn.Linear(2 * width * 4, n_classes)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))

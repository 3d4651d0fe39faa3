import torch.nn as nn


class ConvNet(nn.Module):
    def __init__(self, channels, classes):
        super().__init__()
        layers, c_in = [], 1
        for c in channels:
            layers += [nn.Conv2d(c_in, c, 3, padding=1), nn.GroupNorm(4, c), nn.ReLU(), nn.MaxPool2d(2)]
            c_in = c
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Linear(c_in * 4, classes)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))

from torch import nn


def make_net(classes=10):
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
        nn.Conv2d(16, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(24 * 16, 48), nn.ReLU(), nn.Dropout(0.2),
        nn.Linear(48, classes),
    )

from torch import nn


def encoder(dim=64):
    return nn.Sequential(
        nn.Conv2d(1, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
        nn.Conv2d(32, 64, 3, stride=2, padding=1), nn.BatchNorm2d(64), nn.ReLU(),
        nn.Conv2d(64, dim, 3, stride=2, padding=1), nn.BatchNorm2d(dim), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten())


def projector(dim=64, out=32):
    return nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, out))

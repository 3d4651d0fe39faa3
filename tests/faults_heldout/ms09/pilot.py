from torch import nn


def make_pilot():
    return nn.Sequential(
        nn.Conv2d(1, 12, 5, stride=2, padding=2), nn.ELU(),
        nn.Conv2d(12, 20, 3, stride=2, padding=1), nn.ELU(),
        nn.Conv2d(20, 24, 3, stride=2, padding=1), nn.ELU(),
        nn.Flatten(),
        nn.Linear(24 * 2 * 4, 48), nn.ELU(),
        nn.Linear(48, 1))

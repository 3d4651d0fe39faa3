from torch import nn


def teacher():
    return nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Dropout(0.2), nn.Linear(128, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 10))


def student():
    return nn.Sequential(nn.Linear(64, 20), nn.ReLU(), nn.Linear(20, 10))

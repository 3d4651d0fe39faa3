from torch import nn


def build(classes):
    return nn.Sequential(
        nn.Conv1d(2, 24, 5, padding=2), nn.BatchNorm1d(24), nn.ReLU(), nn.MaxPool1d(2),
        nn.Conv1d(24, 48, 5, padding=2), nn.BatchNorm1d(48), nn.ReLU(), nn.MaxPool1d(2),
        nn.Flatten(), nn.Linear(480, 64), nn.ReLU(), nn.Linear(64, classes),
    )

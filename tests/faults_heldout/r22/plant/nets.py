from torch import nn


def conv_classifier(channels=4, classes=3):
    return nn.Sequential(
        nn.Conv1d(channels, 16, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
        nn.Conv1d(16, 16, 5, padding=2), nn.ReLU(), nn.AdaptiveAvgPool1d(1),
        nn.Flatten(), nn.Linear(16, classes))

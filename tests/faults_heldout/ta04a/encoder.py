import torch
import torch.nn as nn


class VibrationEncoder(nn.Module):
    """Conv encoder pre-trained on the plant-wide bearing archive."""

    def __init__(self, channels=(16, 32, 32), dim=32):
        super().__init__()
        layers, prev = [], 1
        for c in channels:
            layers += [nn.Conv1d(prev, c, 9, stride=2, padding=4), nn.BatchNorm1d(c), nn.ReLU()]
            prev = c
        self.conv = nn.Sequential(*layers)
        self.proj = nn.Linear(prev, dim)

    def forward(self, x):
        h = self.conv(x.unsqueeze(1)).mean(-1)
        return torch.relu(self.proj(h))


class FaultClassifier(nn.Module):
    def __init__(self, n_classes, dim=32):
        super().__init__()
        self.encoder = VibrationEncoder(dim=dim)
        self.head = nn.Linear(dim, n_classes)

    def forward(self, x):
        return self.head(self.encoder(x))

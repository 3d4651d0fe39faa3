import torch
from torch import nn


class SpectrumEncoder(nn.Module):
    """1-d CNN over a vibration spectrum."""

    def __init__(self, width=16):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, width, 7, padding=3), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(width, 2 * width, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(2 * width, 2 * width, 3, padding=1), nn.ReLU(),
        )
        self.project = nn.Linear(2 * width * 16, 48)

    def forward(self, x):
        return torch.relu(self.project(self.features(x.unsqueeze(1)).flatten(1)))


class FaultClassifier(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.encoder = SpectrumEncoder()
        self.head = nn.Linear(48, n_classes)

    def forward(self, x):
        return self.head(self.encoder(x))

import torch.nn as nn


class GestureNet(nn.Module):
    """Convolutions over time and a dense head for 32-sample windows."""

    def __init__(self, n_axes, n_classes, channels, hidden):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv1d(n_axes, channels, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(channels, channels, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
        )
        self.head = nn.Sequential(
            nn.Flatten(),
            nn.Linear(channels * 8, hidden), nn.BatchNorm1d(hidden), nn.ReLU(),
            nn.Linear(hidden, hidden), nn.BatchNorm1d(hidden), nn.ReLU(),
            nn.Linear(hidden, n_classes),
        )

    def forward(self, x):
        return self.head(self.encoder(x))

import torch.nn as nn


class ClipNet(nn.Module):
    def __init__(self, channels, kernel, classes):
        super().__init__()
        pad = kernel // 2
        self.features = nn.Sequential(
            nn.Conv1d(1, channels, kernel, padding=pad), nn.GroupNorm(4, channels), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(channels, channels, kernel, padding=pad), nn.GroupNorm(4, channels), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(channels, 2 * channels, 3, padding=1), nn.GroupNorm(4, 2 * channels), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(),
        )
        self.head = nn.Linear(2 * channels, classes)

    def forward(self, x):
        return self.head(self.features(x))

import torch.nn as nn


class SpectrumNet(nn.Module):
    def __init__(self, n_classes, channels=16):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, channels, 7, padding=3), nn.BatchNorm1d(channels), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(channels, 2 * channels, 5, padding=2), nn.BatchNorm1d(2 * channels), nn.ReLU(), nn.MaxPool1d(2),
            nn.Flatten(),
        )
        self.classifier = nn.Sequential(
            nn.LazyLinear(128), nn.ReLU(),
            nn.Linear(128, n_classes),
            nn.Softmax(dim=1),
        )

    def forward(self, x):
        return self.classifier(self.features(x.unsqueeze(1)))

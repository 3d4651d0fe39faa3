import torch.nn as nn


class WearNet(nn.Module):
    """Small 1-d CNN; the pooled filter energies are combined linearly into one wear score."""

    def __init__(self, channels):
        super().__init__()

        def block(i, o, k):
            return nn.Sequential(nn.Conv1d(i, o, k, padding=k // 2, bias=False), nn.BatchNorm1d(o), nn.ReLU())

        self.features = nn.Sequential(block(1, channels, 9), nn.MaxPool1d(2), block(channels, channels, 5))
        self.score = nn.Linear(channels, 1)

    def forward(self, x):
        return self.score(self.features(x).mean(-1)).squeeze(-1)

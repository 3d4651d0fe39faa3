import torch
from torch import nn


class StageNet(nn.Module):
    def __init__(self, in_channels, n_stages, channels, dropout):
        super().__init__()
        layers, c = [], in_channels
        for i, w in enumerate(channels):
            layers += [
                nn.Conv1d(c, w, 7 if i == 0 else 5, padding="same"),
                nn.BatchNorm1d(w),
                nn.ReLU(),
                nn.MaxPool1d(2),
            ]
            c = w
        self.features = nn.Sequential(*layers)
        self.classify = nn.Sequential(nn.Flatten(), nn.Dropout(dropout), nn.LazyLinear(n_stages))

    def forward(self, x):
        return self.classify(self.features(x))

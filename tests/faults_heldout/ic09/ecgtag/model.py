import torch.nn as nn


class WaveTagger(nn.Module):
    """Dilated convolutions, one tag per sample of the signal."""

    def __init__(self, leads=2, n_tags=4, width=24, dilations=(1, 2, 4, 8)):
        super().__init__()
        self.stem = nn.Conv1d(leads, width, 5, padding=2)
        self.body = nn.ModuleList(
            nn.Sequential(nn.ReLU(), nn.Conv1d(width, width, 3, padding=d, dilation=d), nn.BatchNorm1d(width))
            for d in dilations)
        self.head = nn.Conv1d(width, n_tags, 1)

    def forward(self, x):
        h = self.stem(x)
        for layer in self.body:
            h = h + layer(h)
        return self.head(h)

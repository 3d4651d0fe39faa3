import torch
import torch.nn as nn


class ConvEncoder(nn.Module):
    """Small convolutional encoder for 8x8 glyph crops."""

    def __init__(self, width=12, dim=24):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1),
            nn.BatchNorm2d(width),
            nn.ReLU(),
        )
        self.body = nn.Sequential(
            nn.Conv2d(width, width * 2, 3, padding=1, stride=2),
            nn.BatchNorm2d(width * 2),
            nn.ReLU(),
            nn.Conv2d(width * 2, width * 2, 3, padding=1, stride=2),
            nn.BatchNorm2d(width * 2),
            nn.ReLU(),
        )
        self.proj = nn.Linear(width * 2 * 2 * 2, dim)

    def forward(self, x):
        x = self.body(self.stem(x))
        return self.proj(x.flatten(1))


class GlyphClassifier(nn.Module):
    def __init__(self, encoder, n_classes, dim=24):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(dim, n_classes)

    def train(self, mode=True):
        super().train(mode)
        self.encoder.eval()  # frozen feature extractor keeps its running statistics
        return self

    def forward(self, x):
        with torch.no_grad():
            z = self.encoder(x)
        return self.head(z)

import torch.nn as nn


class Encoder(nn.Module):
    """Small conv encoder, trained beforehand on the large glyph archive."""

    def __init__(self, dim=12):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.body = nn.Sequential(nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.neck = nn.Sequential(nn.Flatten(), nn.Linear(128, dim))

    def forward(self, x):
        return self.neck(self.body(self.stem(x)))


class Classifier(nn.Module):
    def __init__(self, n_classes, dim=12):
        super().__init__()
        self.encoder = Encoder(dim)
        self.fc = nn.Linear(dim, n_classes)

    def forward(self, x):
        return self.fc(self.encoder(x).relu())

import torch
import torch.nn as nn
import torch.nn.functional as F


class ScannerNet(nn.Module):
    """Net that ships with scanner A (see scanner_v1.pt)."""

    def __init__(self, n_classes=10):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.fc1 = nn.Linear(32 * 16, 96)
        self.fc2 = nn.Linear(96, n_classes)

    def forward(self, x):
        h = self.features(x).flatten(1)
        return self.fc2(F.relu(self.fc1(h)))


class LowRank(nn.Module):
    """y = W x + (alpha / r) * B A x, with W fixed."""

    def __init__(self, base, rank=8, alpha=16.0):
        super().__init__()
        self.base = base
        self.a = nn.Parameter(torch.randn(rank, base.in_features) / base.in_features ** 0.5)
        self.b = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scale = alpha / rank

    def forward(self, x):
        return self.base(x) + self.scale * F.linear(F.linear(x, self.a), self.b)

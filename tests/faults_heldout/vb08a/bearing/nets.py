import torch
from torch import nn


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(width, width, 5, padding=2),
            nn.GroupNorm(4, width),
            nn.ReLU(),
            nn.Conv1d(width, width, 5, padding=2),
        )

    def forward(self, x):
        return torch.relu(x + self.body(x))


class VibrationNet(nn.Module):
    def __init__(self, width, n_blocks, n_classes):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv1d(1, width, 15, stride=2, padding=7), nn.ReLU())
        self.blocks = nn.ModuleList(Residual(width) for _ in range(n_blocks))
        self.pool = nn.MaxPool1d(2)
        self.reduce = nn.Linear(width, 12)
        self.head = nn.Linear(12, n_classes)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = self.pool(block(x))
        return self.head(torch.relu(self.reduce(x.mean(dim=2))))

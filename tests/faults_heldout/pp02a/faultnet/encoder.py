import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.conv = nn.Conv1d(cin, cout, 7, stride=stride, padding=3, bias=False)
        self.norm = nn.GroupNorm(4, cout)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)))


class VibrationEncoder(nn.Module):
    """Two-axis accelerometer window -> embedding."""

    def __init__(self, channels=(16, 24, 32), dim=24):
        super().__init__()
        layers, prev = [], 2
        for c in channels:
            layers.append(Block(prev, c, stride=2))
            prev = c
        self.blocks = nn.Sequential(*layers)
        self.proj = nn.Linear(prev, dim)

    def forward(self, x):
        h = self.blocks(x).mean(dim=-1)
        return self.proj(h)


class Head(nn.Module):
    def __init__(self, dim, classes):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fc = nn.Linear(dim, classes)

    def forward(self, z):
        return self.fc(self.norm(z))

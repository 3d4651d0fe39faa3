import torch
from torch import nn


class WindowNorm(nn.Module):
    """Removes offset and scale of every channel inside a window and passes the scale on as extra channels."""

    def __init__(self, channels, eps, unit=100.0):
        super().__init__()
        self.eps = eps
        self.unit = unit
        self.gain = nn.Parameter(torch.ones(channels, 1))
        self.shift = nn.Parameter(torch.zeros(channels, 1))

    def forward(self, x):
        x = x / self.unit
        centred = x - x.mean(-1, keepdim=True)
        variance = centred.square().mean(-1, keepdim=True)
        level = torch.sqrt(variance + self.eps)
        scaled = centred / level * self.gain + self.shift
        return torch.cat([scaled, level.expand_as(x)], dim=1)


class Block(nn.Module):
    def __init__(self, inputs, outputs, kernel=5):
        super().__init__()
        self.conv = nn.Conv1d(inputs, outputs, kernel, padding=kernel // 2)
        self.norm = nn.GroupNorm(4, outputs)
        self.pool = nn.MaxPool1d(2)

    def forward(self, x):
        return self.pool(torch.relu(self.norm(self.conv(x))))


class ActivityNet(nn.Module):
    def __init__(self, channels, classes, width, eps, dropout):
        super().__init__()
        self.window_norm = WindowNorm(channels, eps)
        self.blocks = nn.Sequential(Block(2 * channels, width), Block(width, 2 * width))
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(2 * width, classes)

    def forward(self, x):
        return self.head(self.dropout(self.blocks(self.window_norm(x)).mean(-1)))

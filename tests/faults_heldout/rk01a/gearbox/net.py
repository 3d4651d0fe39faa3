"""Vibration encoder shared with the condition-monitoring team."""
import torch
from torch import nn


class ConvUnit(nn.Module):
    def __init__(self, c_in, c_out, width, stride=1):
        super().__init__()
        self.conv = nn.Conv1d(c_in, c_out, width, stride=stride, padding=width // 2, bias=False)
        self.norm = nn.GroupNorm(4, c_out)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)))


class VibrationEncoder(nn.Module):
    def __init__(self, channels=32, depth=3):
        super().__init__()
        self.stem = ConvUnit(1, channels, 9, stride=2)
        self.units = nn.ModuleList(ConvUnit(channels, channels, 5) for _ in range(depth))
        self.out_dim = 2 * channels

    def forward(self, x):
        h = self.stem(x.unsqueeze(1))
        for i, unit in enumerate(self.units):
            h = h + unit(h)
            if i == 0:
                h = nn.functional.max_pool1d(h, 2)
        return torch.cat([h.mean(-1), h.amax(-1)], dim=1)


class FaultClassifier(nn.Module):
    def __init__(self, n_classes, channels=32, depth=3):
        super().__init__()
        self.encoder = VibrationEncoder(channels, depth)
        self.head = nn.Sequential(nn.LayerNorm(self.encoder.out_dim), nn.Linear(self.encoder.out_dim, n_classes))

    def forward(self, x):
        return self.head(self.encoder(x))

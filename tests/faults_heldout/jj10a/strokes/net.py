import torch
import torch.nn as nn


class StrokeNet(nn.Module):
    def __init__(self, channels=48, kernel=5, classes=8):
        super().__init__()
        pad = kernel // 2
        self.conv = nn.Sequential(
            nn.Conv1d(4, channels, kernel, padding=pad), nn.GELU(),
            nn.Conv1d(channels, channels, kernel, stride=2, padding=pad), nn.GELU(),
            nn.Conv1d(channels, channels, kernel, stride=2, padding=pad), nn.GELU(),
        )
        self.out = nn.Linear(channels * 8, classes)

    def forward(self, xy):
        xy = xy - xy.mean(dim=1, keepdim=True)
        vel = torch.diff(xy, dim=1, prepend=xy[:, :1]) * 8.0
        feats = torch.cat([xy, vel], dim=2).transpose(1, 2)
        return self.out(self.conv(feats).flatten(1))

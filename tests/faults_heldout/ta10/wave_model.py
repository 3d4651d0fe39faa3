import torch
import torch.nn as nn


class ResidualUnit(nn.Module):
    def __init__(self, channels, dilation, kernel=3):
        super().__init__()
        self.conv = nn.Conv1d(channels, 2 * channels, kernel, dilation=dilation,
                              padding=dilation * (kernel - 1) // 2)
        self.mix = nn.Conv1d(channels, channels, 1)

    def forward(self, x):
        a, b = self.conv(x).chunk(2, dim=1)
        return x + self.mix(torch.tanh(a) * torch.sigmoid(b))


class TideNet(nn.Module):
    """Dilated conv stack, emits for every hour a prediction of the next hour."""

    def __init__(self, channels=24, dilations=(1, 2, 4, 8)):
        super().__init__()
        self.inp = nn.Conv1d(1, channels, 1)
        self.units = nn.ModuleList([ResidualUnit(channels, d) for d in dilations])
        self.out = nn.Sequential(nn.ReLU(), nn.Conv1d(channels, channels, 1), nn.ReLU(), nn.Conv1d(channels, 1, 1))

    def forward(self, level):
        h = self.inp(level.unsqueeze(1))
        for unit in self.units:
            h = unit(h)
        return self.out(h).squeeze(1)

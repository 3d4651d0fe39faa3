import torch.nn as nn
import torch.nn.functional as F

from .registry import MODELS


class CausalBlock(nn.Module):
    def __init__(self, channels, kernel, dilation, dropout):
        super().__init__()
        self.pad = (kernel - 1) * dilation
        self.conv = nn.Conv1d(channels, 2 * channels, kernel, dilation=dilation)
        self.mix = nn.Conv1d(channels, channels, 1)
        self.norm = nn.GroupNorm(1, channels)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        h = F.pad(self.norm(x), (self.pad, 0))
        h = F.glu(self.conv(h), dim=1)
        return x + self.drop(self.mix(h))


@MODELS.register("tcn")
class TCN(nn.Module):
    def __init__(self, in_channels, horizon, channels=32, levels=4, kernel=3, dropout=0.0):
        super().__init__()
        self.stem = nn.Conv1d(in_channels, channels, 1)
        self.blocks = nn.Sequential(*[CausalBlock(channels, kernel, 2 ** i, dropout) for i in range(levels)])
        self.head = nn.Sequential(nn.LayerNorm(channels), nn.Linear(channels, horizon))

    def forward(self, x):
        h = self.blocks(self.stem(x))
        return self.head(h[:, :, -1])

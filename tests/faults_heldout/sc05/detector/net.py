import torch
from torch import nn


class GatedBlock(nn.Module):
    """Non-causal WaveNet block with residual and skip outputs."""

    def __init__(self, channels, dilation):
        super().__init__()
        self.filter = nn.Conv1d(channels, channels, 3, padding=dilation, dilation=dilation)
        self.gate = nn.Conv1d(channels, channels, 3, padding=dilation, dilation=dilation)
        self.mix = nn.Conv1d(channels, channels, 1)

    def forward(self, x):
        h = torch.tanh(self.filter(x)) * torch.sigmoid(self.gate(x))
        h = self.mix(h)
        return x + h, h


class CallDetector(nn.Module):
    def __init__(self, channels=16, dilations=(1, 2, 4, 8, 16), n_classes=3):
        super().__init__()
        self.stem = nn.Conv1d(1, channels, 1)
        self.blocks = [GatedBlock(channels, d) for d in dilations]
        self.head = nn.Sequential(nn.ReLU(), nn.Conv1d(channels, n_classes, 1))

    def forward(self, x):
        x = self.stem(x)
        skips = 0
        for block in self.blocks:
            x, skip = block(x)
            skips = skips + skip
        return self.head(skips)

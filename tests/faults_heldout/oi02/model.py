import torch
import torch.nn as nn


class GatedBlock(nn.Module):
    def __init__(self, channels, dilation, kernel_size=3):
        super().__init__()
        pad = dilation * (kernel_size - 1) // 2
        self.conv = nn.Conv1d(channels, 2 * channels, kernel_size, dilation=dilation, padding=pad)
        self.res = nn.Conv1d(channels, channels, 1)
        self.skip = nn.Conv1d(channels, channels, 1)

    def forward(self, x):
        a, b = self.conv(x).chunk(2, dim=1)
        h = torch.tanh(a) * torch.sigmoid(b)
        return x + self.res(h), self.skip(h)


class WaveStack(nn.Module):
    """Dilated stack over mu-law codes; position t of the output scores code t + 1."""

    def __init__(self, levels, channels, dilations):
        super().__init__()
        self.embed = nn.Embedding(levels, channels)
        self.blocks = nn.ModuleList(GatedBlock(channels, d) for d in dilations)
        self.head = nn.Sequential(nn.ReLU(), nn.Conv1d(channels, channels, 1), nn.ReLU(),
                                  nn.Conv1d(channels, levels, 1))

    def forward(self, codes):
        x = self.embed(codes).transpose(1, 2)
        total = 0
        for block in self.blocks:
            x, s = block(x)
            total = total + s
        return self.head(total)

import torch
from torch import nn


class GatedBlock(nn.Module):
    def __init__(self, c, d):
        super().__init__()
        self.conv = nn.Conv1d(c, 2 * c, 3, padding=d, dilation=d)
        self.norm = nn.GroupNorm(4, 2 * c)

    def forward(self, x):
        a, b = self.norm(self.conv(x)).chunk(2, 1)
        return x + torch.tanh(a) * torch.sigmoid(b)


class EscapementNet(nn.Module):
    def __init__(self, channels, embed, classes, dilations):
        super().__init__()
        self.stem = nn.Conv1d(2, channels, 5, padding=2)
        self.blocks = nn.ModuleList(GatedBlock(channels, d) for d in dilations)
        self.embed = nn.Linear(2 * channels, embed)
        self.head = nn.Linear(embed, classes)

    def forward(self, x):
        h = self.stem(x)
        for b in self.blocks:
            h = b(h)
        e = self.embed(torch.cat([h.mean(-1), h.std(-1)], 1))
        return e, self.head(torch.relu(e))


class Centres(nn.Module):
    """Running class centres with their own optimiser (centre loss)."""

    def __init__(self, classes, dim):
        super().__init__()
        self.mu = nn.Parameter(torch.randn(classes, dim) * 0.1)

    def forward(self, e, y):
        return 0.5 * (e - self.mu[y]).pow(2).sum(1).mean()

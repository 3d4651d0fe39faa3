import torch
from torch import nn


def unit(i, o, k, s):
    return nn.Sequential(nn.Conv1d(i, o, k, stride=s, padding=k // 2), nn.GroupNorm(4, o), nn.GELU())


class CurveEncoder(nn.Module):
    def __init__(self, channels=2, width=24):
        super().__init__()
        self.local = unit(channels, width, 5, 1)
        self.mid = unit(width, width, 5, 2)
        self.wide = unit(width, width, 5, 1)

    def forward(self, x):
        h = self.mid(self.local(x))
        return h + self.wide(h)


class RoastGrader(nn.Module):
    def __init__(self, encoder, width, grades):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(2 * width, grades)

    def pooled(self, x):
        h = self.encoder(x)
        return torch.cat([h.mean(-1), h.amax(-1)], 1)

    def forward(self, x):
        return self.head(self.pooled(x))

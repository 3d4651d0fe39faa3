import torch
from torch import nn


class CausalBlock(nn.Module):
    def __init__(self, ch, dilation):
        super().__init__()
        self.pad = 2 * dilation
        self.conv = nn.Conv1d(ch, 2 * ch, 3, dilation=dilation)
        self.proj = nn.Conv1d(ch, ch, 1)

    def forward(self, x):
        a, b = self.conv(nn.functional.pad(x, (self.pad, 0))).chunk(2, dim=1)
        return x + self.proj(torch.tanh(a) * torch.sigmoid(b))


class Forecaster(nn.Module):
    def __init__(self, n_feats, ch, horizon):
        super().__init__()
        self.inp = nn.Conv1d(n_feats, ch, 1)
        self.blocks = nn.Sequential(*[CausalBlock(ch, 2 ** i) for i in range(6)])
        self.head = nn.Sequential(nn.Linear(2 * ch, 64), nn.GELU(), nn.Linear(64, horizon))
        self.horizon = horizon

    def forward(self, x):
        h = self.blocks(self.inp(x))
        summary = torch.cat([h[:, :, -1], h.mean(-1)], dim=1)
        naive = x[:, 0, -self.horizon:]
        return naive + self.head(summary)

import torch
from torch import nn


class Chomp1d(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def forward(self, x):
        return x[..., self.size:].contiguous()


class TemporalBlock(nn.Module):
    def __init__(self, ch, k, dilation, dropout):
        super().__init__()
        pad = (k - 1) * dilation
        self.net = nn.Sequential(
            nn.utils.parametrizations.weight_norm(nn.Conv1d(ch, ch, k, padding=pad, dilation=dilation)),
            Chomp1d(pad), nn.ReLU(), nn.Dropout(dropout),
            nn.Conv1d(ch, ch, 1),
        )

    def forward(self, x):
        return x + self.net(x)


class TCN(nn.Module):
    def __init__(self, ch=24, k=3, depth=5, dropout=0.0):
        super().__init__()
        self.inp = nn.Conv1d(1, ch, 1)
        self.blocks = nn.Sequential(*[TemporalBlock(ch, k, 2 ** i, dropout) for i in range(depth)])
        self.out = nn.Conv1d(ch, 1, 1)

    def forward(self, x):
        """x: (batch, time) -> prediction of the following value at each time."""
        h = self.blocks(self.inp(x[:, None]))
        return self.out(torch.relu(h))[:, 0]

import torch
from torch import nn
import torch.nn.functional as F

from windows import HORIZON


class Causal(nn.Module):
    def __init__(self, ch, dilation):
        super().__init__()
        self.pad = 2 * dilation
        self.conv = nn.Conv1d(ch, 2 * ch, 3, dilation=dilation)
        self.mix = nn.Conv1d(ch, ch, 1)

    def forward(self, x):
        y = F.glu(self.conv(F.pad(x, (self.pad, 0))), dim=1)
        return x + self.mix(y)


class Forecaster(nn.Module):
    """Past load -> Gaussian for each of the next hours."""

    def __init__(self, n_cal=3, ch=24):
        super().__init__()
        self.inp = nn.Conv1d(1 + n_cal, ch, 1)
        self.blocks = nn.Sequential(*[Causal(ch, d) for d in (1, 2, 4, 8, 16)])
        self.lag = nn.Linear(24, HORIZON)
        self.head = nn.Sequential(nn.Linear(ch + HORIZON * n_cal, 64), nn.ReLU(), nn.Linear(64, 2 * HORIZON))

    def forward(self, past, cal):
        n = past.size(1)
        h = self.blocks(self.inp(torch.cat([past.unsqueeze(1), cal[:, :, :n]], 1)))[:, :, -1]
        out = self.head(torch.cat([h, cal[:, :, n:].flatten(1)], 1))
        mean, raw = out.chunk(2, dim=1)
        return mean + self.lag(past[:, -24:]), F.softplus(raw - 1.0) + 1e-3

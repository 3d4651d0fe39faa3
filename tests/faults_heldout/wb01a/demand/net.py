import torch
from torch import nn


class CausalBlock(nn.Module):
    def __init__(self, width, kernel, dilation, dropout):
        super().__init__()
        self.pad = nn.ConstantPad1d(((kernel - 1) * dilation, 0), 0.0)
        self.conv = nn.Conv1d(width, width, kernel, dilation=dilation)
        self.mix = nn.Conv1d(width, width, 1)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        h = torch.relu(self.conv(self.pad(x)))
        return x + self.drop(self.mix(h))


class TemporalNet(nn.Module):
    """Dilated causal convolutions, the last step is mapped to the whole horizon."""

    def __init__(self, channels, width, levels, kernel, horizon, dropout):
        super().__init__()
        self.inp = nn.Conv1d(channels, width, 1)
        self.blocks = nn.Sequential(
            *[CausalBlock(width, kernel, 2 ** i, dropout) for i in range(levels)])
        self.head = nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, horizon))

    def forward(self, x):
        h = self.blocks(self.inp(x))
        return self.head(h[:, :, -1])

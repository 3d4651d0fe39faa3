import torch
from torch import nn


class MotionRecognizer(nn.Module):
    def __init__(self, n_channels, n_classes, hidden=48):
        super().__init__()
        self.inp = nn.Sequential(nn.Linear(n_channels, 24), nn.ReLU())
        self.rnn = nn.GRU(24, hidden, num_layers=1)
        self.head = nn.Sequential(nn.LayerNorm(hidden), nn.Linear(hidden, n_classes))

    def forward(self, x):
        # x: (batch, ticks, channels)
        h = self.inp(x)
        out, _ = self.rnn(h)
        return self.head(out[:, -1])


def count_parameters(model):
    return sum(p.numel() for p in model.parameters() if p.requires_grad)

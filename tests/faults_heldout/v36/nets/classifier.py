import torch
from torch import nn

from .init import initialize


class TextureNet(nn.Module):
    """1-d convolutions over the rows, tanh units throughout."""

    def __init__(self, classes=10):
        super().__init__()
        self.rows = nn.Conv1d(8, 32, 3, padding=1)
        self.mix = nn.Conv1d(32, 32, 3, padding=1)
        self.fc = nn.Linear(32 * 8, 64)
        self.out = nn.Linear(64, classes)
        self.apply(initialize)

    def forward(self, x):
        h = torch.tanh(self.rows(x))
        h = torch.tanh(self.mix(h))
        h = torch.tanh(self.fc(h.flatten(1)))
        return self.out(h)

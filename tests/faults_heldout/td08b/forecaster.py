import torch
from torch import nn


class Forecaster(nn.Module):
    def __init__(self, channels, hidden, calendar=3):
        super().__init__()
        self.gru = nn.GRU(channels, hidden, batch_first=True)
        self.head = nn.Sequential(
            nn.Linear(hidden + calendar, hidden), nn.ReLU(),
            nn.Linear(hidden, 1), nn.Sigmoid(),
        )

    def forward(self, x, ahead):
        _, h = self.gru(x)
        return self.head(torch.cat([h[-1], ahead], dim=1)).squeeze(1)

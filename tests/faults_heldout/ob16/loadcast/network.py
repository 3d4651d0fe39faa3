import torch
from torch import nn


class LoadForecaster(nn.Module):
    def __init__(self, channels, calendar, horizon, hidden, dropout):
        super().__init__()
        self.gru = nn.GRU(channels, hidden, batch_first=True)
        self.decoder = nn.Sequential(
            nn.Linear(hidden + calendar * horizon, 128), nn.ReLU(), nn.Dropout(dropout), nn.Linear(128, horizon)
        )

    def forward(self, past, calendar):
        _, h = self.gru(past)
        return self.decoder(torch.cat([h[-1], calendar.flatten(1)], dim=1))

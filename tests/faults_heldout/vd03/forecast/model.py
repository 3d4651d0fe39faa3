import torch
from torch import nn


class Seq2Horizon(nn.Module):
    def __init__(self, channels, calendar, hidden, layers):
        super().__init__()
        self.encoder = nn.GRU(channels, hidden, layers, batch_first=True)
        self.decoder = nn.GRU(calendar, hidden, layers, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, past, future_calendar):
        _, state = self.encoder(past)
        out, _ = self.decoder(future_calendar, state)
        last = past[:, -1:, 0]
        return last + self.head(out).squeeze(-1)

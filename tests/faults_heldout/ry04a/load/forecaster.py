import torch
from torch import nn


class Forecaster(nn.Module):
    def __init__(self, meters, calendar, hidden, horizon):
        super().__init__()
        self.encoder = nn.GRU(meters + calendar, hidden, batch_first=True)
        self.decoder = nn.Sequential(
            nn.Linear(hidden + calendar, hidden), nn.SiLU(), nn.Linear(hidden, meters)
        )

    def forward(self, past, future_calendar):
        _, h = self.encoder(past)
        h = h[-1].unsqueeze(1).expand(-1, future_calendar.shape[1], -1)
        return self.decoder(torch.cat([h, future_calendar], dim=-1))

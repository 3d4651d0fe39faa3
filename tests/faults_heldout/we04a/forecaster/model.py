import torch
from torch import nn


class Seq2Horizon(nn.Module):
    def __init__(self, n_in, n_future, horizon, hidden, layers, dropout):
        super().__init__()
        self.horizon = horizon
        self.encoder = nn.GRU(n_in, hidden, layers, batch_first=True)
        self.decoder = nn.Sequential(
            nn.Linear(hidden + n_future, hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Linear(hidden, 1),
        )
        self.step = nn.Parameter(torch.zeros(horizon, hidden))

    def forward(self, past, future):
        _, h = self.encoder(past)
        h = h[-1].unsqueeze(1) + self.step
        return self.decoder(torch.cat([h, future], dim=-1)).squeeze(-1)

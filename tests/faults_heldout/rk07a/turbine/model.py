import torch
from torch import nn


class GruForecaster(nn.Module):
    def __init__(self, n_channels, hidden):
        super().__init__()
        self.proj = nn.Linear(n_channels, hidden)
        self.rnn = nn.GRU(hidden, hidden, batch_first=True)
        self.out = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        h, _ = self.rnn(torch.tanh(self.proj(x)))
        return self.out(h[:, -1]).squeeze(-1)

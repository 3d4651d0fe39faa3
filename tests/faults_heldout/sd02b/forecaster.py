import torch
from torch import nn


class LoadForecaster(nn.Module):
    def __init__(self, n_features, hidden, horizon, dropout=0.0):
        super().__init__()
        self.rnn = nn.GRU(n_features, hidden, batch_first=True)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(hidden, horizon)

    def forward(self, x):
        _, h = self.rnn(x)
        return torch.sigmoid(self.out(self.drop(h[-1])))

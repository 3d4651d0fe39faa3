import torch
from torch import nn


class OdoNet(nn.Module):
    def __init__(self, n_in=2, hidden=64, n_out=2):
        super().__init__()
        self.hidden = hidden
        self.lstm = nn.LSTM(n_in, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, n_out)

    def init_hidden(self, batch_size):
        weight = next(self.parameters())
        return (weight.new_zeros(1, batch_size, self.hidden),
                weight.new_zeros(1, batch_size, self.hidden))

    def forward(self, x, h):
        out, h = self.lstm(x, h)
        return self.fc(out[:, -1]), h

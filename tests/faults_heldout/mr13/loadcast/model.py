import torch.nn as nn


class Forecaster(nn.Module):
    def __init__(self, hidden, horizon):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, horizon)

    def forward(self, x):
        _, h = self.rnn(x)
        return self.out(h[-1])

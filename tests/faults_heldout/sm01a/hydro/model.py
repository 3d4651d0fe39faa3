import torch.nn as nn


class RunoffGRU(nn.Module):
    def __init__(self, n_forcing, hidden, dropout):
        super().__init__()
        self.rnn = nn.GRU(n_forcing, hidden, batch_first=True)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        h, _ = self.rnn(x)
        return self.out(self.drop(h[:, -1])).squeeze(-1)

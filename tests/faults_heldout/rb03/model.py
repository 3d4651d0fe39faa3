import torch.nn as nn


class ValveObserver(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, u, state=None):
        out, state = self.rnn(u, state)
        return self.head(out), state

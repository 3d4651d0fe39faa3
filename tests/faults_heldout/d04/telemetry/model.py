from torch import nn


class LineModel(nn.Module):
    def __init__(self, n_in, hidden=32):
        super().__init__()
        self.rnn = nn.GRU(n_in, hidden, batch_first=True)
        self.mix = nn.Sequential(nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, x, state=None):
        h, state = self.rnn(x, state)
        return self.mix(h), state

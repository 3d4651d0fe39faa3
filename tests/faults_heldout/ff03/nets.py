import torch
from torch import nn


class StatefulGRU(nn.Module):
    """GRU regressor that remembers its state from one chunk of a stream to the next."""

    def __init__(self, n_in, width, layers=1):
        super().__init__()
        self.rnn = nn.GRU(n_in, width, layers, batch_first=True)
        self.head = nn.Sequential(nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.layers, self.width = layers, width
        self.state = None

    def reset(self):
        self.state = None

    def _initial(self, x):
        # a new number of lanes means a new stream
        if self.state is None or self.state.shape[0] != x.shape[0]:
            return x.new_zeros(self.layers, x.shape[0], self.width)
        return self.state

    def forward(self, x):
        out, h = self.rnn(x, self._initial(x))
        self.state = h.detach()
        return self.head(out).squeeze(-1)

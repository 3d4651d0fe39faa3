import torch
from torch import nn


class Labeller(nn.Module):
    """Labels every time step of a stream; returns the logits and the state for the next window."""

    def __init__(self, n_in, hidden=32, n_out=1):
        super().__init__()
        self.rnn = nn.GRU(n_in, hidden, batch_first=True)
        self.head = nn.Sequential(nn.LayerNorm(hidden), nn.Linear(hidden, n_out))

    def forward(self, x, state=None):
        out, state = self.rnn(x, state)
        return self.head(out).squeeze(-1), state


class GatedLabeller(Labeller):
    """Lets the network mute channels depending on the other channels."""

    def __init__(self, n_in, hidden=32, n_out=1):
        super().__init__(n_in, hidden, n_out)
        self.gate = nn.Linear(n_in, n_in)
        nn.init.constant_(self.gate.bias, 2.0)

    def forward(self, x, state=None):
        x = x * torch.sigmoid(self.gate(x))
        return super().forward(x)

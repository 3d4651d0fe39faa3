import torch
from torch import nn


class LevelGRU(nn.Module):
    """Tank level from the inflow pulses, read window by window."""

    def __init__(self, hidden):
        super().__init__()
        self.hidden = hidden
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)
        self.state = None

    def start(self, n, device=None):
        self.state = torch.zeros(1, n, self.hidden, device=device)

    def forward(self, u):
        h, last = self.rnn(u.unsqueeze(-1), self.state)
        self.state = last.detach()
        return self.out(h).squeeze(-1)

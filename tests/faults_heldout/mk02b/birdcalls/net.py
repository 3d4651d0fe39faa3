import torch
from torch import nn


class CallNet(nn.Module):
    """Bidirectional GRU over the frames, max over time, linear read-out."""

    def __init__(self, bands, hidden, n_species, dropout):
        super().__init__()
        self.frame = nn.Sequential(nn.Linear(bands, hidden), nn.GELU())
        self.rnn = nn.GRU(hidden, hidden, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(2 * hidden, n_species)

    def forward(self, spec):
        h, _ = self.rnn(self.frame(spec.transpose(1, 2)))
        return self.out(self.drop(h.amax(dim=1)))

import torch
from torch import nn


class LogReader(nn.Module):
    """Reads the events of one shift and estimates how many pallets are left on the belt."""

    def __init__(self, n_events, n_out, emb=12, hidden=40):
        super().__init__()
        self.emb = nn.Embedding(n_events, emb)
        self.gru = nn.GRU(emb, hidden, batch_first=True)
        self.out = nn.Linear(hidden, n_out)
        self.hidden = None

    def init_hidden(self, batch):
        return torch.zeros(1, batch, self.gru.hidden_size)

    def forward(self, events):
        if self.hidden is None or self.hidden.size(1) != events.size(0):
            self.hidden = self.init_hidden(events.size(0))
        seq, h = self.gru(self.emb(events), self.hidden)
        self.hidden = h.detach()
        return self.out(seq[:, -1])

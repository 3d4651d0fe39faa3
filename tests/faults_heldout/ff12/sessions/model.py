import torch
from torch import nn

from .dataset import PAD


class SessionGRU(nn.Module):
    def __init__(self, n_events, emb=12, hidden=32):
        super().__init__()
        self.emb = nn.Embedding(n_events + 1, emb, padding_idx=PAD)
        self.gru = nn.GRU(emb, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, events, lengths):
        states, _ = self.gru(self.emb(events))
        last = states[torch.arange(len(lengths)), lengths - 1]
        return self.head(last).squeeze(1)

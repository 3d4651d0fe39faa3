import torch
from torch import nn


class AlarmNet(nn.Module):
    def __init__(self, n_events, n_alarms, emb, hidden):
        super().__init__()
        self.emb = nn.Embedding(n_events, emb)
        self.rnn = nn.GRU(emb, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden + emb, 48), nn.ReLU(), nn.Linear(48, n_alarms))

    def forward(self, events, state=None):
        e = self.emb(events)
        h, state = self.rnn(e, state)
        return self.head(torch.cat([h, e], -1)), state

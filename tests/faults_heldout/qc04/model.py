import torch
from torch import nn

CODES = "ABCDEF"


class StateReader(nn.Module):
    """Reads a machine's event log and tells which state it ended in."""

    def __init__(self, emb, hidden, n_states):
        super().__init__()
        self.embed = nn.Embedding(len(CODES), emb)
        self.rnn = nn.LSTM(emb, hidden, batch_first=True)
        self.norm = nn.LayerNorm(hidden)
        self.head = nn.Sequential(nn.Linear(hidden, 64), nn.ReLU(), nn.Linear(64, n_states))

    def forward(self, ids):
        out, _ = self.rnn(self.embed(ids))
        return self.head(self.norm(out[:, -1]))


def encode(line):
    return torch.tensor([CODES.index(c) for c in line])

import torch
from torch import nn


class SequenceTagger(nn.Module):
    def __init__(self, vocab, dim=24, hidden=48, classes=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.gru = nn.GRU(dim, hidden, batch_first=True)
        self.norm = nn.LayerNorm(hidden)
        self.head = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, classes))

    def forward(self, tokens):
        out, _ = self.gru(self.embed(tokens))
        return self.head(self.norm(out[:, -1]))

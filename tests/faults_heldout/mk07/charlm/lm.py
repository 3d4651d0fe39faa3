import torch
from torch import nn


class CharGRU(nn.Module):
    def __init__(self, n_chars, emb, hidden, dropout):
        super().__init__()
        self.emb = nn.Embedding(n_chars, emb)
        self.rnn = nn.GRU(emb, hidden, batch_first=True)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(hidden, n_chars)

    def forward(self, x):
        h, _ = self.rnn(self.emb(x))
        return self.out(self.drop(h))

import torch
from torch import nn


class BiTagger(nn.Module):
    def __init__(self, vocab_size, n_tags, dim, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, dim, padding_idx=0)
        self.rnn = nn.LSTM(dim, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, n_tags)

    def forward(self, tokens):
        h, _ = self.rnn(self.embed(tokens))
        return self.out(h)

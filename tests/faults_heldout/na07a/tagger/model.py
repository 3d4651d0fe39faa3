import torch
from torch import nn


class SpanTagger(nn.Module):
    def __init__(self, vocab_size, n_tags, pad_id, dim=32, hidden=32, dropout=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.embed = nn.Embedding(vocab_size, dim, padding_idx=pad_id)
        self.rnn = nn.GRU(dim, hidden, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(2 * hidden, n_tags)

    def forward(self, ids):
        lengths = (ids != self.pad_id).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(
            self.drop(self.embed(ids)), lengths, batch_first=True, enforce_sorted=False)
        states, _ = self.rnn(packed)
        states, _ = nn.utils.rnn.pad_packed_sequence(states, batch_first=True, total_length=ids.shape[1])
        return self.out(self.drop(states))

import torch
from torch import nn


class BiGruTagger(nn.Module):
    def __init__(self, n_words, n_tags, dim=24, hidden=32):
        super().__init__()
        self.emb = nn.Embedding(n_words, dim, padding_idx=0)
        self.gru = nn.GRU(dim, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, n_tags)

    def forward(self, words, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.emb(words), lengths, batch_first=True, enforce_sorted=False)
        h, _ = self.gru(packed)
        h, _ = nn.utils.rnn.pad_packed_sequence(h, batch_first=True, total_length=words.shape[1])
        return self.out(h)

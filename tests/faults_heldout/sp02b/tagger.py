import torch
from torch import nn

from corpus import PAD


class Tagger(nn.Module):
    """Embedding, bidirectional LSTM, linear tag scores."""

    def __init__(self, n_words, n_tags, emb=48, hidden=64, dropout=0.2):
        super().__init__()
        self.emb = nn.Embedding(n_words, emb, padding_idx=PAD)
        self.lstm = nn.LSTM(emb, hidden, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(dropout)
        self.score = nn.Linear(2 * hidden, n_tags)

    def forward(self, x):
        lengths = (x != PAD).sum(1).cpu()
        packed = nn.utils.rnn.pack_padded_sequence(
            self.drop(self.emb(x)), lengths, batch_first=True, enforce_sorted=False)
        out, _ = self.lstm(packed)
        out, _ = nn.utils.rnn.pad_packed_sequence(out, batch_first=True, total_length=x.shape[1])
        return self.score(self.drop(out))

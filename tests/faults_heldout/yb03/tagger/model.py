import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from .data import PAD_WORD


class BiLSTMTagger(nn.Module):
    def __init__(self, n_words, n_tags, emb=32, hidden=48, dropout=0.2):
        super().__init__()
        self.embed = nn.Embedding(n_words, emb, padding_idx=PAD_WORD)
        self.drop = nn.Dropout(dropout)
        self.lstm = nn.LSTM(emb, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, n_tags)

    def forward(self, words, lengths):
        e = self.drop(self.embed(words))
        packed = pack_padded_sequence(e, lengths, batch_first=True, enforce_sorted=False)
        h, _ = self.lstm(packed)
        h, _ = pad_packed_sequence(h, batch_first=True, total_length=words.size(1))
        return self.out(self.drop(h))

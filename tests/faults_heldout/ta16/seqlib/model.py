import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from .data import PAD, VOCAB


class SeverityModel(nn.Module):
    def __init__(self, emb=32, hidden=48, classes=3, dropout=0.1):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, emb, padding_idx=PAD)
        self.rnn = nn.LSTM(emb, hidden, batch_first=True, bidirectional=True)
        self.score = nn.Linear(2 * hidden, 1)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(2 * hidden, classes)

    def forward(self, words, lengths):
        packed = pack_padded_sequence(self.emb(words), lengths, batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.rnn(packed)[0], batch_first=True)
        valid = torch.arange(h.shape[1]) < lengths[:, None]
        w = self.score(h).squeeze(-1).masked_fill(~valid, float("-inf")).softmax(-1)
        return self.out(self.drop((w.unsqueeze(-1) * h).sum(1)))
